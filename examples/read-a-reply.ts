import { parse } from '@toolglot/core'

const reply = parse(`Let me look.
<tool_call>
{"name": "read_file", "arguments": {"path": "package.json",}}
</tool_call>`)

console.log(reply.text.trim())
for (const { name, args, complete, repairs } of reply.calls) {
  console.log(name, args, complete, repairs)
}

// Let me look.
// read_file { path: 'package.json' } true [ 'trailing-comma' ]
