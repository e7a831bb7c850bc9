// npm run bench: how fast replies are read.
import { parse } from '@toolglot/core'
import { Bench } from 'tinybench'

const call = '<tool_call>\n{"name": "read", "arguments": {"path": "notes.txt"}}\n</tool_call>\n'
const prose = 'Some words before a call, as models write them. '

const bench = new Bench({ time: 500 })
bench.add('one call', () => parse(prose + call))
bench.add('64 KB of prose', () => parse(prose.repeat(1365)))
bench.add('a call after 64 KB of prose', () => parse(prose.repeat(1365) + call))

await bench.run()
console.table(bench.table())
