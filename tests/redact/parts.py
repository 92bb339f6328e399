"""Secrets of every kind, put together at run time: none of them stands in a file of this repository."""

from __future__ import annotations

import random
import string

UPPER, LOWER, DIGITS = string.ascii_uppercase, string.ascii_lowercase, string.digits
BASE62 = UPPER + LOWER + DIGITS
HEX = DIGITS + "abcdef"


def some(alphabet: str, length: int, seed: int = 1) -> str:
    """Text as a generator makes it: the same for the same arguments."""
    source = random.Random(f"{alphabet}{length}{seed}")
    return "".join(source.choice(alphabet) for _ in range(length))


def word(*parts: str) -> str:
    return "".join(parts)


def pem(kind: str = "RSA ", *, lines: int = 6, end: bool = True) -> str:
    dashes = "-" * 5
    body = [some(BASE62 + "+/", 64, i) for i in range(lines)] + [some(BASE62, 40) + "=="]
    tail = [f"{dashes}END {kind}PRIVATE KEY{dashes}"] if end else []
    return "\n".join([f"{dashes}BEGIN {kind}PRIVATE KEY{dashes}", *body, *tail])


def jwt() -> str:
    return word("ey", "J", some(BASE62, 33), ".", "ey", "J", some(BASE62, 60), ".", some(BASE62 + "-_", 43))


def secrets() -> dict[str, tuple[str, str, str]]:
    """Name → (text before, the secret, text after)."""
    pw = word("hun", "ter2", "Zq")
    return {
        "aws access key": ("key ", word("AK", "IA", some(UPPER + "234567", 16)), " for the bucket"),
        "aws session key": ("", word("AS", "IA", some(UPPER + "234567", 16)), ""),
        "aws secret, env": ("AWS_SECRET_ACCESS_KEY=", some(BASE62, 40), "\n"),
        "aws secret, ini": ("aws_secret_access_key = ", some(BASE62 + "/+", 40, 3), "\nregion = eu"),
        "aws secret, yaml": ('secretAccessKey: "', some(BASE62, 40, 4), '"'),
        "github token": ("git clone https://x-access-token:", word("gh", "p_", some(BASE62, 36)), "@github.com/a/b"),
        "github app token": ("use ", word("gh", "s_", some(BASE62, 36)), ", it ends tonight"),
        "github fine-grained": ("", word("github", "_pat_", some(BASE62, 22), "_", some(BASE62, 59)), ""),
        "gitlab token": ("", word("gl", "pat-", some(BASE62, 20)), ""),
        "slack bot token": ("SLACK=", word("xo", "xb-", some(DIGITS, 12), "-", some(BASE62, 24)), ""),
        "slack webhook": ("", word("https://hooks.slack", ".com/services/T", some(UPPER, 8), "/B7/", some(BASE62, 24)), ""),
        "google key": ("", word("AI", "za", some(BASE62 + "-_", 35)), "&q=1"),
        "google client secret": ("", word("GOC", "SPX-", some(BASE62, 28)), ""),
        "openai project key": ("use this key: ", word("sk-", "proj-", some(BASE62, 20), "-", some(BASE62, 20)), ""),
        "openai key": ("", word("s", "k-", some(BASE62, 48)), ""),
        "anthropic key": ("", word("sk-", "ant-api03-", some(BASE62, 60)), ""),
        "stripe key": ("", word("sk", "_live_", some(BASE62, 24)), ""),
        "stripe webhook": ("", word("wh", "sec_", some(BASE62, 32)), ""),
        "npm token": ("//npm.example.net/:_authToken=", word("np", "m_", some(BASE62, 36)), ""),
        "pypi token": ("", word("py", "pi-AgEIcHlwaS5vcmc", some(BASE62, 80)), ""),
        "sendgrid": ("", word("S", "G.", some(BASE62, 22), ".", some(BASE62, 43)), ""),
        "hugging face": ("", word("h", "f_", some(BASE62, 34)), ""),
        "digitalocean": ("", word("dop", "_v1_", some(HEX, 64)), ""),
        "databricks": ("", word("da", "pi", some(HEX, 32)), ""),
        "telegram": ("bot ", word(some("123456789", 10), ":A", "A", some(BASE62, 33)), ""),
        "twilio": ("sid ", word("A", "C", some(HEX, 32)), ""),
        "mailchimp": ("", word(some(HEX, 32), "-us", "14"), ""),
        "discord": ("discord ", word("M", some(BASE62, 23), ".", some(BASE62, 6), ".", some(BASE62, 27)), ""),
        "azure storage": ("Protocol=https;AccountKey=", word(some(BASE62 + "+/", 86), "=="), ";EndpointSuffix=x"),
        "aliyun": ("", word("LT", "AI", some(BASE62, 20)), ""),
        "jwt": ("decode this: ", jwt(), ""),
        "pem": ("is this right?\n\n", pem(), "\nthanks"),
        "pem, openssh": ("", pem("OPENSSH "), ""),
        "pem, cut off": ("key:\n", pem(end=False), ""),
        "pem on one line": ('{"key": "', pem().replace("\n", "\\n"), '"}'),
        "pem, quoted": ("> ", pem().replace("\n", "\n> "), "\nwhat is it?"),
        "database URL": ("DATABASE_URL=postgresql://app:", word("fAke", "-Pw-9x"), "@db.example.net:5432/app"),
        "redis URL": ("redis://:", word("s3", "cr3t", "x"), "@cache:6379/0"),
        "mongo URL, odd signs": ("mongodb+srv://u:", word("p$", "ss#1!", "w"), "@cluster0.example.net/db"),
        "basic auth URL": ("curl https://ann:", pw, "@example.net/x"),
        "token URL": ("https://", some(BASE62, 40), "@example.net/repo.git"),
        "signed URL": ("https://x.blob.example.net/a?sv=1&sig=", some(BASE62, 44), ""),
        "password, yaml": ("user: app\npassword: ", pw, "\n"),
        "password, env": ("DB_PASSWORD=", word("sun", "flower"), "\n"),
        "password, python": ('password = "', word("sun", "flower"), '"'),
        "password, json": ('{"password": "', pw, '"}'),
        "password, sentence": ("the staging password is ", pw, ", don't tell"),
        "password, bare": ("staging db: user app, password ", pw, ""),
        "password for": ("password for staging: ", pw, ""),
        "password, Chinese": ("数据库密码：", pw, "，别外传"),
        "password, Chinese is": ("测试环境的密码是", pw, "。"),
        "secret, Chinese": ("密钥：", some(BASE62, 24), ""),
        "password, German": ("Das Passwort lautet ", pw, "."),
        "password for, German": ("Das Passwort für staging ist ", pw, ", immer das"),
        "password, Japanese": ("パスワードは", pw, " です"),
        "connection string": ("Server=db;User Id=sa;Password=", word("P@ss", "w0rd1"), ";Encrypt=true"),
        "token, yaml": ("token: ", some(BASE62, 24), ""),
        "token, js": ('const token = "', some(BASE62, 20), '";'),
        "client secret": ('client_secret: "', some(BASE62, 32), '"'),
        "api key, header": ("X-Api-Key: ", some(BASE62, 32), ""),
        "hex api key": ("API_KEY=", some(HEX, 32), ""),
        "uuid api key": ("HEROKU_API_KEY=", "-".join(some(HEX, n, n + i) for i, n in enumerate((8, 4, 4, 4, 12))), ""),
        "bearer": ("Authorization: Bearer ", some(BASE62 + "-_", 40), ""),
        "basic": ("Authorization: Basic ", word("dXNl", "cjpodW50ZXIyWnE="), ""),
        "curl user": ("curl -u admin:", pw, " https://example.net"),
        "mysql flag": ("mysql -u root -p", pw, " app"),
        "netrc": ("machine example.net login ann password ", word("abc", "def", "gh"), "\n"),
        "discord, no cue": ("never commit ", word("N", some(BASE62, 23), ".", some(BASE62, 6), ".", some(BASE62, 27)), ""),
        "password before its cue": ("log in with admin / ", word("Tr0", "ub4Nl5"), ", the password of staging"),
        "password, turned round": ("", pw, " is our staging password."),
        "passphrase of words": ('the passphrase of the key is "', "correct zebra " + "battery staple", '", type it'),
        "pin": ("the alarm PIN is ", word("43", "2742"), ", switch it off"),
        "door code": ("door code for the office: ", word("90", "218"), ""),
        "totp seed": ("the TOTP secret for the shared account is ", some(UPPER + "234567", 31) + "7", ", use it"),
        "cookie": ('curl -H "Cookie: lang=en; session=', some(BASE62, 44), '" https://example.net'),
        "unknown vendor": ("put ", some(BASE62, 44), " into the form"),
    }  # fmt: skip
