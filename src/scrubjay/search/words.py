"""Word lists of the search, as data. They are few and short on purpose: what a store says often is measured, not listed.

`STOP`: words of a prompt that say nothing: function and question words. `LIGHT`: words that say little (courtesy, quantity,
pointing at time): they help to order what was found, but never find anything themselves, so that "thanks, continue
tomorrow" looks nothing up. `WEAK`: words so common in developers' talk that one of them alone never
names a subject, however rare it is in a small store. Hot.
"""

from __future__ import annotations

_ENGLISH = """
a about also am an and any anybody anyone anything are aren arent as at be because been being both but by can cannot cant
could couldn couldnt d did didn didnt do does doesn doesnt doing don done dont either else etc ever for from get gets
getting gonna had hadnt has hasnt have havent having he her hers herself him himself his how however i id if ill im in
into is isn isnt it its itself ive just kind ll m may maybe me might mine must my myself neither no nor not of on onto or
our ours ourselves perhaps please quite rather re really s shall she should shouldnt since so some somebody someone
something sort such t than that thats the their theirs them themselves then there theres these they theyre thing things
this those though through thus to too toward towards upon us ve very via was wasn wasnt we were werent weve what whatever
whats when where wheres whether which while who whom whos whose why will with wont would wouldnt you youd youll your
youre yours yourself youve thats heres whos hows whens
"""

_LIGHT = """
above after again against all before below between down during each even every everybody everyone everything few further
go goes going got here instead let lets like lot many more most much need needs never nothing off once one ones only
other others out over own per same several still two under until up want wants way well within without yes yet
hi hello hey bye goodbye thx thank thanks ok okay yep yeah yup nope sure great nice cool perfect awesome sorry welcome
cheers hmm oh ah wow lol alright fine good morning evening night afternoon continue proceed right correct exactly agreed
today tomorrow yesterday tonight now later soon btw fyi pls plz kindly tell say said says know think thought look looks
looking see seems seem die war bin man gut hat mal also mit
www com
"""

_GERMAN = """
aber alle als also am an auch auf aus bei bin bis bist bitte da danke dann darf das dass dein dem den der des die diese
dieser dieses doch du durch ein eine einem einen einer eines er es etwas euch fuer für gut gute guten hab habe haben hallo
hat heute hier ich ihm ihn ihr im in ist ja jetzt kann kannst kein keine können leider mach machen mal man mein mich mir
mit moin morgen muss nach nacht nein nicht noch nun nur oder ob okay schon schön sehr sein sich sie sind so soll sollen
sollte super tschüss über um und uns unser viel vielen von vor wann war warum was weiter welche welcher welches wem
wen wenn wer werden wie wieder wir wird wo wohin wozu zu zum zur abend
"""

_ROMANCE = """
merci bonjour salut oui non bonsoir revoir voir gracias hola adios adiós buenos dias días si sí ciao grazie obrigado
obrigada ola olá sim por favor
"""

_KOREAN_AND_JAPANESE = """
안녕하세요 감사합니다 고마워요 고마워 계속 네 아니요 내일 오늘 어제 무엇 어떻게 왜 언제 어디 알려줘 해주세요
ありがとうございます ありがとうございました ありがとう こんにちは こんばんは おはようございます おはよう
よろしくお願いします よろしく お願いします おねがいします お疲れ様です お疲れさま さようなら また明日 明日 今日 昨日
ください 下さい してもいいですか でしょうか ですか ますか ました ません でした です ます はい いいえ どうやって
どうすれば どこ なぜ いつ なに 何が 何を 何で 続けて 続き 教えて について とは という って この その あの これ それ あれ
"""

_CHINESE = """
你好 您好 谢谢 多谢 感谢 再见 拜拜 早上好 晚上好 下午好 晚安 明天见 明天 今天 昨天 现在 继续 接着 好的 好吧 可以吗 可以 是的
不是 没错 对的 没问题 辛苦了 麻烦 什么是 是什么 什么时候 为什么 什么 怎么样 怎么办 怎么 怎样 如何 哪里 哪儿 哪个 哪些 哪一
哪份 多少 几个 是否 能否 能不能 要不要 可不可以 是不是 有没有 谁来 请问 帮我 给我 告诉我 一下 一句话 我们 你们 他们 咱们
这个 那个 这些 那些 这里 那里 因为 所以 但是 如果 然后 还是 或者 以及 已经 应该 需要 想要
知道 觉得 来着 解释 的 了 吗 呢 吧 啊 么 呀 嘛
我 你 您 他 她 它 这 那 请 把 被 是 谁 几 就 都 也 很 与 和
"""

_WEAK = """
access account action add added adding additional address allow amount answer api app application apply area argument
array article ask back bad base batch begin behaviour behavior best better big bit block body book box branch break bring
broken bug build button call called calls car care case cause change changed changes chat check class clean clear click
client close code color colour column command comment commit common compare complete computer config configuration
connect connection contain content convert copy cost count country create current customer cut data database date day days
deal default define delete deploy describe description design detail dev develop developer development difference
different directory display doc docs document documentation draft easy edit email empty enable end english entry
environment error example exist expect explain export fail failed failing fails fast feature field file files fill find
first fix fixed flag folder follow form format found free full function game general generate give given group guide hand
handle happen hard head help hide high hold home host hour house http https human id idea image implement implementation import
include index info information input insert inside install issue item job join json keep key kind last launch lead leave
left length less let letter level lib library light limit line link list little live load local log logic logs long loop
low machine mail main make makes making manage mark match matter mean means merge message method minute minutes missing
mistake mode model module month move moved multiple name need needs new next node note number object old open operation
option order output package page parameter part parts party pass past path pattern pay people person phone pick picture
piece place plan play point port possible post prefer prepare price print problem process product program project prompt
provide pull push put query question quick quickly random read ready real reason record reduce refactor reference release
remember remove rename repeat replace reply repo report repository request require reset response rest result return
review rewrite rule run running runs sample save school screen script search second section send sentence separate server
service session set setting settings setup share short show side simple single site size small software song source space
special split stage standard start started starts state step steps stop store story string structure style support switch
system table tag take talk task team tell test tested testing tests text think third three time times title today together
tool tools top topic total track travel tree trigger true try trying turn type understand unit update upgrade use used user
users uses using value values variable version view wait walk water web week weeks whole window wish word words work
working works world worth write writing wrong year years zone
bild datei fehler frage neu schreib schreibe text wort zeit
"""

_EXTENSIONS = """
bash bat c cc cfg conf cpp cs css csv go gz h hpp htm html ini java js json jsx kt lock log lua m md mjs php pl png py
rb rs rst sass scss sh sql svg swift toml ts tsx txt vue xml yaml yml zip
"""
EXTENSIONS = frozenset(_EXTENSIONS.split())
"""Endings of file names: they tell a kind of file, not which one."""

LIGHT = frozenset(_LIGHT.split())
STOP = frozenset((_ENGLISH + _GERMAN + _ROMANCE).split()) - LIGHT
WEAK = frozenset(_WEAK.split())
CJK_STOP = tuple(sorted((_CHINESE + _KOREAN_AND_JAPANESE).split(), key=len, reverse=True))
"""Longest first: a run of CJK characters is cut at them, so that no pair of characters spans one."""
