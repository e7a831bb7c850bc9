import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { loadReply } from './parser-store.ts'
import type { SharedReply } from './share/shared-reply.ts'

/** Replies with the most frequent problems. */
const SAMPLES: Readonly<Record<'repaired' | 'cut' | 'other', SharedReply>> = {
  repaired: {
    protocol: 'hermes',
    text: `<think>
The limit is 50 ms of real time, so a busy machine fails it. First look at the test, then find the timer.
</think>
I'll read the failing test and look for the timer it waits on.

<tool_call>
{"name": "Read", "arguments": {"file_path": "src/time-limit.test.ts", "limit": "80",}}
</tool_call>
<tool_call>
{'name': 'Grep', 'arguments': {'pattern': 'setTimeout', 'path': 'src', '-n': True}}
</tool_call>
<tool_response>
src/time-limit.ts:14:  const timer = setTimeout(stop, ms)
</tool_response>
<tool_call>
{"name": "Edit", "arguments": {"file_path": "src/time-limit.ts", "old_string": "setTimeout(stop, ms)", "new_string": "clock.after(ms, stop)"}}
</tool_call>
<tool_call>
{"name": "Bash", "arguments": {"command": "npm test -- time-limit
</tool_call>

With a clock that the test moves, the limit no longer depends on the machine.`,
  },
  cut: {
    protocol: 'hermes',
    finish: 'length',
    text: `The notes go into a new file.

<tool_call>
{"name": "Write", "arguments": {"file_path": "notes.md", "content": "# Notes\\n\\n- the limit is 50 ms\\n- the machine is bu`,
  },
  other: {
    protocol: 'hermes',
    // No tools: calls of known tools would be found in any protocol.
    tools: [],
    text: `I'll look at both files.

[TOOL_CALLS][{"name": "Read", "arguments": {"file_path": "README.md"}}, {"name": "Read", "arguments": {"file_path": "package.json"}}]`,
  },
}

/** Buttons that load a broken reply as a sample. */
export function Samples(): ReactNode {
  const { t } = useWords()
  return (
    <div
      className="flex flex-wrap gap-2 border-t border-line px-4 py-3.5 in-data-beside:hidden"
      role="group"
      aria-label={t('parser.samples')}
    >
      <p className="flex-[1_0_100%] text-ink-2">{t('parser.samples')}</p>
      {(Object.keys(SAMPLES) as (keyof typeof SAMPLES)[]).map((name) => (
        <button
          key={name}
          type="button"
          className="grid flex-[1_1_190px] content-start gap-0.5 rounded-md border border-line bg-panel px-[11px] py-[9px] text-left hover:border-line-2 hover:shadow-card"
          onClick={() => loadReply(SAMPLES[name])}
        >
          <b className="font-580">{t(`parser.sample.${name}`)}</b>
          <span className="text-ink-2">{t(`parser.sample.${name}.about`)}</span>
        </button>
      ))}
    </div>
  )
}
