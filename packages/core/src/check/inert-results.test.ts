import { expect, test } from 'vitest'
import { examplesOf } from '../../test/protocol-examples.ts'
import { runs, share } from '../../../../tests/helpers/size.ts'
import {
  args,
  each,
  envelope,
  key,
  keywords,
  lineStart,
  name,
  output,
  outputJson,
  value,
  wire,
  yaml,
} from '../draw.ts'
import { type Protocol, protocols } from '../index.ts'
import { resultsStayInert } from './inert-results.ts'
import { toolsOf } from './tools-of.ts'

function broken(protocol: Protocol, texts: number): string[] {
  const examples = examplesOf(protocol)
  const context = { protocol, tools: toolsOf(examples), examples: Object.entries(examples), texts }
  return [...resultsStayInert(context)].flatMap(({ problem }) => problem ?? [])
}

test.each(share(Object.values(protocols), 23))(
  '$id: the output of a tool stays inert',
  (protocol) => expect(broken(protocol, runs(20).numRuns)).toEqual([]),
  60_000,
)

type Drawn = Pick<Protocol, 'call' | 'result'> & Partial<Protocol>

const own: readonly [about: string, drawn: Drawn][] = [
  ['tags', { call: wire`<do>${envelope}</do>`, result: wire`<done>\n${output}\n</done>` }],
  [
    'tags around values',
    {
      call: wire`<do:${name}>${each(wire`<${key}>${value()}</>`)}</do>`,
      result: wire`<done:${name}>${output}</done>`,
    },
  ],
  ['brackets', { call: wire`[[${name} ${args}]]`, result: wire`((${output}))` }],
  ['a bracket', { call: wire`(${name} | ${args})`, result: wire`${output}` }],
  ['arrows', { call: wire`=> ${name} ${args} <=`, result: wire`<result>${output}</result>` }],
  ['unicode', { call: wire`【${name}】${args}【完】`, result: wire`《果》${output}《完》` }],
  ['emoji', { call: wire`🔧🔧${name} ${args}🔚🔚`, result: wire`📦📦${output}🏁🏁` }],
  ['one emoji', { call: wire`🔧${name} ${args}`, result: wire`📦${output}🏁.` }],
  ['line starts', { call: wire`${lineStart}>> ${name} ${args}\n`, result: wire`<< ${output}` }],
  [
    'a fence',
    { call: wire`\`\`\`tool\n${envelope}\n\`\`\``, result: wire`\`\`\`result\n${output}\n\`\`\`` },
  ],
  ['one character', { call: wire`§${name} | ${args}`, result: wire`${output}` }],
  [
    'one character and a line start',
    { call: wire`${lineStart}@${name}: ${args}`, result: wire`${output}` },
  ],
  [
    'regular expression characters',
    { call: wire`(?:${name}|${args})*`, result: wire`.*${output}$^` },
  ],
  [
    'any case',
    { call: wire`Call ${name} with ${args} End`, result: wire`Gave ${output} Over`, anyCase: true },
  ],
  ['words', { call: wire`RUN ${name} WITH ${args}`, result: wire`GAVE ${output} OVER` }],
  ['a name', { call: wire`${name}: ${args}`, result: wire`${output}` }],
  ['a name before tags', { call: wire`${name}<in>${args}</in>`, result: wire`${output}` }],
  ['python', { call: wire`!!${name}(${keywords}`, result: wire`!!= ${outputJson}` }],
  ['yaml', { call: wire`run ${name}:\n${yaml}`, result: wire`${output}` }],
  [
    'a long mark',
    {
      call: wire`<${'call-'.repeat(20)}>${name} ${args}`,
      result: wire`<${'result-'.repeat(20)}>${output}</${'result-'.repeat(20)}>`,
    },
  ],
  [
    'marks of another protocol',
    {
      call: wire`<tool_call>${name}=${args}</tool_call>`,
      result: wire`<tool_response>${output}</tool_response>`,
    },
  ],
]

const ours = (drawn: Drawn): Protocol => ({ id: 'own', about: 'Ours', prompt: () => '', ...drawn })

test.each(share(own, 3))('a custom protocol, with %s', (_, drawn) => {
  expect(broken(ours(drawn), runs(100).numRuns)).toEqual([])
})

test('a single closing character, which cannot be made inert, is reported', () => {
  const [problem] = broken(
    ours({ call: wire`<do>${envelope}</do>`, result: wire`GAVE[${output}]` }),
    0,
  )
  expect(problem).toMatch(/ends \d+ characters early: draw a longer mark that closes it/)
})
