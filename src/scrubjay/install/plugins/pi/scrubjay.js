import { randomUUID } from "node:crypto"

const TYPE = "scrubjay"

const holdsBlock = (entry) => String(entry.content).includes("<scrubjay-memory>")

// Our entries in the context, and the last compaction: what lies before it is gone but for the tail that it kept.
function inContext(branch) {
  const last = branch.findLastIndex((entry) => entry.type === "compaction")
  const kept = last < 0 ? 0 : branch.findIndex((entry) => entry.id === branch[last].firstKeptEntryId)
  const first = kept < 0 ? last : kept
  const entries = branch.filter(
    (entry, place) => place >= first && entry.type === "custom_message" && entry.customType === TYPE,
  )
  return { entries, compacted: branch[last]?.timestamp ?? "" }
}

function about(ctx) {
  const sessions = ctx.sessionManager
  return { session_id: sessions.getSessionId(), session_file: sessions.getSessionFile() ?? "", cwd: ctx.cwd }
}

export default function scrubjay(pi) {
  if (process.env.SCRUBJAY_INSIDE) return
  let settles = false // 1.x says when a run is really over; before it the end of the agent's loop has to do

  pi.on(
    "session_start",
    quiet(async (event, ctx) => {
      const source = event.reason === "resume" || event.reason === "fork" ? "resume" : "startup"
      const answer = await ask("SessionStart", { ...about(ctx), source })
      if (answer.systemMessage && ctx.hasUI) ctx.ui.notify(answer.systemMessage, "info")
    }),
  )

  pi.on(
    "before_agent_start",
    quiet(async (event, ctx) => {
      if (typeof event.prompt !== "string" || event.messageType === "custom") return
      if (!ctx.hasUI) pi.appendEntry(TYPE, { headless: true }) // the file does not tell that no person typed it
      const { entries, compacted } = inContext(ctx.sessionManager.getBranch())
      const prompt_id = randomUUID()
      const answer = await ask("UserPromptSubmit", {
        ...about(ctx),
        prompt: event.prompt,
        prompt_id,
        held: entries.map((entry) => entry.details?.prompt),
        block: entries.some(holdsBlock),
        compacted: compacted.replace(/\.\d+Z$/, "Z"),
        parent: ctx.sessionManager.getHeader()?.parentSession ?? "",
      })
      const content = told(answer)
      if (content) return { message: { customType: TYPE, content, display: false, details: { prompt: prompt_id } } }
    }),
  )

  // A summary of what we gave would bring it back as if it had been said.
  pi.on(
    "session_before_compact",
    quiet(async ({ preparation }) => {
      for (const messages of [preparation.messagesToSummarize, preparation.turnPrefixMessages])
        for (let place = (messages?.length ?? 0) - 1; place >= 0; place--)
          if (messages[place].role === "custom" && messages[place].customType === TYPE) messages.splice(place, 1)
    }),
  )

  const changed = (event) => quiet(async (_event, ctx) => void (await ask(event, about(ctx))))
  pi.on("agent_end", async (event, ctx) => settles || (await changed("Stop")(event, ctx)))
  pi.on("agent_settled", async (event, ctx) => {
    settles = true
    await changed("Stop")(event, ctx)
  })
  pi.on("session_shutdown", changed("SessionEnd"))
}
