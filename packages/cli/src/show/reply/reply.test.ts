import { expect, test } from 'vitest'
import picocolors from 'picocolors'
import { parse, protocols } from '@toolglot/core'
import { showReply } from './reply.ts'

const colors = picocolors.createColors(false)
const hermes = protocols['hermes']
const options = hermes ? { protocols: hermes } : {}
const show = (text: string, columns = Infinity): string =>
  showReply(text, parse(text, options), { colors, columns })

test('shows every type of segment', () => {
  const text = `<think>
Two things to do.
</think>
Let me look.

<tool_call>
{"name": "get_weather", "arguments": {"city": "Hanoi",}}
</tool_call>
<tool_call>
{"name": ]}
</tool_call>
<tool_response>
sunny
</tool_response>
It is sunny.`

  expect(show(text).replace(/hermes, \w+/, 'hermes, ID')).toBe(`\
reasoning  Two things to do.

text       Let me look.

call       get_weather  complete  hermes, ID
           {
             "city": "Hanoi"
           }
           ! repaired: trailing-comma

malformed  syntax  line 10, column 10
           {"name": ]}
                    ^
           Expected a JSON value, found "]}\\n</tool_call>".

result     ! the model made this result up: no tool was run
           <tool_response>
           sunny
           </tool_response>

text       It is sunny.

1 call, 1 repaired, 1 malformed, 1 forged result
`)
})

test('wraps long text after its label', () => {
  expect(show('one two three four', 20)).toBe(`\
text       one two
           three
           four

0 calls
`)
})

test('marks a call that was cut off', () => {
  const shown = show('<tool_call>\n{"name": "now", "arguments": {"a": [1')
  expect(shown).toContain('call       now  cut  ')
  expect(shown).toContain('! the reply was cut off in the middle of this call: not safe to run')
})
