const FORK = /\(fork #\d+\)$/

const within = (promise, ms) => {
  let timer
  const late = new Promise((resolve) => (timer = setTimeout(() => resolve(undefined), ms)))
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
const ours = (part) => part.type === "text" && part.metadata?.scrubjay !== undefined

export const Scrubjay = async ({ client, directory }) => {
  if (process.env.SCRUBJAY_INSIDE) return {}
  const sessions = new Map() // id → what this process knows of it
  const summing = new Set() // sessions whose next messages are for a summary

  const known = (id) => {
    if (!sessions.has(id)) sessions.set(id, { info: undefined, block: "", gone: [], met: undefined })
    return sessions.get(id)
  }

  const start = async (id, source, parent) => {
    const session = known(id)
    const cwd = session.info?.directory || directory
    const answer = await ask("SessionStart", { session_id: id, cwd, source, parent })
    session.block = told(answer) || (source === "compact" ? "" : session.block)
    if (answer.systemMessage)
      within(client.tui.showToast({ body: { message: answer.systemMessage, variant: "info" } }), 1000).catch(() => {})
  }

  // A fork copies our parts under new ids; they still name the session that they were given to.
  const copiedFrom = async (id) => {
    const found = await within(client.session.messages({ path: { id } }), 1000)
    const parts = (found?.data ?? []).flatMap((message) => message.parts).filter(ours)
    return parts.findLast((part) => part.metadata.scrubjay !== id)?.metadata.scrubjay
  }

  const meet = async (id) => {
    const session = known(id)
    if (!session.info) session.info = (await within(client.session.get({ path: { id } }), 1000).catch(() => {}))?.data
    if (session.info?.parentID) return
    if (FORK.test(session.info?.title ?? "")) await start(id, "fork", await copiedFrom(id).catch(() => {}))
    else await start(id, "startup")
  }

  return {
    event: quiet(async ({ event }) => {
      const id = event.properties?.sessionID ?? event.properties?.info?.id
      if (event.type === "session.created") known(id).info ??= event.properties.info
      if (event.type === "session.deleted") sessions.delete(id)
      if (event.type === "message.removed") known(id).gone.push(event.properties.messageID)
      if (event.type !== "session.idle" && event.type !== "session.compacted") return
      const session = known(id)
      if (!session.met || session.info?.parentID) return
      if (event.type === "session.compacted") await start(id, "compact")
      else await ask("Stop", { session_id: id, cwd: session.info?.directory || directory })
    }),

    "chat.message": quiet(async (_input, { message, parts }) => {
      const id = message.sessionID
      const said = parts.filter((part) => part.type === "text" && !part.synthetic && !part.ignored)
      if (!said.length) return
      const session = known(id)
      await (session.met ??= meet(id))
      if (session.info?.parentID) return
      const answer = await ask("UserPromptSubmit", {
        session_id: id,
        cwd: session.info?.directory || directory,
        prompt: said.map((part) => part.text).join("\n"),
        prompt_id: message.id,
        gone: session.gone.splice(0),
      })
      if (!told(answer)) return
      parts.push({
        id: parts.at(-1).id + "z", // the parts of a message are ordered by id
        sessionID: id,
        messageID: message.id,
        type: "text",
        text: told(answer),
        synthetic: true,
        ignored: true, // or the request for a title would hold it; see below
        metadata: { scrubjay: id },
      })
    }),

    "experimental.session.compacting": quiet(async ({ sessionID }) => {
      summing.add(sessionID)
    }),

    // The messages of a conversation's own request, and those that are summed up. For the former our parts count.
    "experimental.chat.messages.transform": quiet(async (_input, { messages }) => {
      if (summing.delete(messages.at(-1)?.info.sessionID)) return
      for (const [place, message] of messages.entries())
        if (message.parts.some(ours))
          messages[place] = {
            ...message,
            parts: message.parts.map((part) => (ours(part) ? { ...part, ignored: false } : part)),
          }
    }),

    // Also called for titles and summaries, whose system prompt describes no environment.
    "experimental.chat.system.transform": quiet(async ({ sessionID }, { system }) => {
      const block = sessionID && sessions.get(sessionID)?.block
      if (block && system.some((text) => text.includes("<env>"))) system[system.length - 1] += "\n\n" + block
    }),
  }
}
