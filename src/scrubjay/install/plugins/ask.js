import { spawn } from "node:child_process"

const HOOK = @hook@
const LIMIT_MS = 2500

// What our hook answers, {} on any failure. It ends by itself long before the limit, save on a machine that stands still.
function ask(event, payload) {
  return new Promise((resolve) => {
    let text = ""
    let timer
    const end = (answer) => {
      clearTimeout(timer)
      resolve(answer && typeof answer === "object" ? answer : {})
    }
    try {
      const child = spawn(HOOK, [@agent@, event], { stdio: ["pipe", "pipe", "ignore"], detached: true })
      timer = setTimeout(() => {
        try {
          process.kill(-child.pid, "SIGKILL") // the shell, and the interpreter that it runs
        } catch {}
        end()
      }, LIMIT_MS)
      child.on("error", () => end())
      child.stdin.on("error", () => {})
      child.stdout.on("error", () => {})
      child.stdout.on("data", (part) => (text += part))
      child.on("close", () => {
        try {
          end(JSON.parse(text))
        } catch {
          end()
        }
      })
      child.stdin.end(JSON.stringify(payload))
    } catch {
      end()
    }
  })
}

const told = (answer) => answer.hookSpecificOutput?.additionalContext ?? ""
const quiet =
  (act) =>
  async (...given) => {
    try {
      return await act(...given)
    } catch {}
  }
