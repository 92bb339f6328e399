"""A toy agent with a memory: two sessions, a fact said in the first is known in the second."""

import os

import scrubjay

os.makedirs("acme-api", exist_ok=True)
store = scrubjay.open("acme-api", agent="toy")


def model(system: str, prompt: str) -> str:
    """Stands for a language model: says what it was given."""
    return f"({len(system)} characters of system prompt) {prompt}"


def run(session: str, prompts: list[str]) -> list[str]:
    """One session. What it learnt is there for the next one."""
    system = f"You are a toy.\n{store.context(session=session)}"
    messages, answers = [], []
    for prompt in prompts:
        block = store.recall(prompt, session=session)
        answers.append(model(system, f"{prompt}\n{block}"))
        messages += [scrubjay.Message("user", prompt), scrubjay.Message("assistant", answers[-1])]
        store.learn(messages, session=session)
    return answers


run("monday", ["always run `make lint` before you commit", "from now on the staging database listens on port 5544"])
told = run("tuesday", ["which port does the staging database listen on?"])
print(told[0])
for memory in store.memories():
    print(memory.id, memory.text, "|", store.why(memory.id).evidence[0].session)
