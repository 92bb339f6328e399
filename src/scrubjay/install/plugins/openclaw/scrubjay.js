// OpenClaw's state folder. The client runs a copy of this file that lies elsewhere.
const STATE = @state@

// Sessions whose context was emptied or summarised since their last prompt.
const emptied = new Map()

const about = (ctx) => ({
  session_id: ctx.sessionId ?? "",
  session_key: ctx.sessionKey ?? "",
  agent_id: ctx.agentId ?? "main",
  trigger: ctx.trigger ?? "",
  provenance: ctx.inputProvenance?.kind ?? "",
  cwd: ctx.workspaceDir ?? "",
  config_home: STATE,
})

const register = (api) => {
  if (process.env.SCRUBJAY_INSIDE) return

  // Nothing of what this adds is kept: each prompt gets the block of the session's start again, byte for byte.
  api.on(
    "before_prompt_build",
    quiet(async (event, ctx) => {
      const session = ctx.sessionId ?? ""
      const prompt = event.currentUserMessage ?? event.prompt
      if (!session || typeof prompt !== "string") return
      const answer = await ask("UserPromptSubmit", {
        ...about(ctx),
        prompt,
        prompt_id: event.currentUserMessageId ?? ctx.runId ?? "",
        source: emptied.get(session) ?? "",
      })
      emptied.delete(session)
      const found = {}
      if (told(answer)) found.prependContext = told(answer)
      const system = answer.hookSpecificOutput?.systemContext
      if (system) found.appendSystemContext = system
      return found
    }),
  )

  const now = (source) => (_event, ctx) => void (ctx?.sessionId && emptied.set(ctx.sessionId, source))
  api.on("after_compaction", now("compact"))
  api.on("before_reset", now("clear"))

  const changed = (name) => quiet(async (_event, ctx) => void (await ask(name, about(ctx))))
  api.on("agent_end", changed("Stop"))
  api.on("session_end", changed("SessionEnd"))
}

export default { id: "scrubjay", name: "scrubjay", description: "scrubjay's memory", register }
