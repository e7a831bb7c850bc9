import type { ToolContext } from '@toolglot/agent'
import type { OutputStream } from '../host/processes.ts'

/** Output told while it comes: not too often, not too much, and a sign of life where there is none. */
export interface Live {
  readonly output: (stream: OutputStream, text: string) => void
  readonly end: () => void
}

/** In milliseconds; and how many characters at a time, the last ones. */
const OFTEN = 100
const SIGN_OF_LIFE = 10_000
const MUCH = 8000

export function live(progress: ToolContext['progress'], signOfLife: number = SIGN_OF_LIFE): Live {
  const began = performance.now()
  const waiting: Record<OutputStream, string> = { stdout: '', stderr: '' }
  let timer: NodeJS.Timeout | undefined
  const pulse = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1000)
    progress({ type: 'note', text: `Running for ${seconds} s` })
  }, signOfLife)

  function tell(): void {
    clearTimeout(timer)
    timer = undefined
    for (const stream of ['stdout', 'stderr'] as const) {
      const text = waiting[stream]
      waiting[stream] = ''
      if (text !== '') progress({ type: 'output', stream, text })
    }
  }

  return {
    output(stream, text) {
      waiting[stream] = lastOf(waiting[stream] + text)
      pulse.refresh()
      timer ??= setTimeout(tell, OFTEN)
    },
    end() {
      clearInterval(pulse)
      tell()
    },
  }
}

function lastOf(text: string): string {
  if (text.length <= MUCH) return text
  const tail = text.slice(-MUCH)
  const unit = tail.charCodeAt(0)
  return `… ${unit >= 0xdc00 && unit <= 0xdfff ? tail.slice(1) : tail}`
}
