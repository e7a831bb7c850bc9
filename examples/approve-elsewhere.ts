import { collect, run, tool, type RunOptions } from '@toolglot/agent'
import { memoryJournal } from '@toolglot/agent/journal'
import { scriptedModel } from '@toolglot/agent/testing'
import { z } from 'zod'

const sendMail = tool({
  name: 'send_mail',
  description: 'Send a mail',
  parameters: z.object({ to: z.string() }),
  execute: ({ to }) => `Sent to ${to}.`,
})
const model = scriptedModel(
  [
    '<tool_call>\n{"name": "send_mail", "arguments": {"to": "ann@example.com"}}\n</tool_call>',
    'Ann has mail.',
  ],
  { name: 'hermes-3' },
)

// For production, and for any number of processes: sqliteJournal({ file: 'runs.db' }) from
// @toolglot/agent/node
const journal = memoryJournal()
const options: RunOptions = { id: 'mail', journal, model, tools: [sendMail], prompt: 'Mail Ann.' }

// A worker executes the run, and releases it while it waits for a person.
const first = await collect(run({ ...options, onWait: 'suspend' }))
console.log(first.reason)

// Days later, on any machine: a person reviews the pending requests, and answers.
for (const { run: id, key, tool: name, args } of await journal.waiting()) {
  console.log(`${name} ${JSON.stringify(args)}`)
  await journal.answer(id, key, { verdict: 'allow' })
}

// Any worker continues the run. Nothing is done twice.
const { reason, text } = await collect(run({ ...options, onWait: 'suspend' }))
console.log(`${reason}: ${text}`)

// interrupted
// send_mail {"to":"ann@example.com"}
// answer: Ann has mail.
