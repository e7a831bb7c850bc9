import type { ToolContext } from '@toolglot/agent'
import type { OutputStream } from '../host/processes.ts'

/** Reports output as progress while a command runs. */
interface LiveOutput {
  readonly output: (stream: OutputStream, text: string) => void
  readonly end: () => void
}

/** Intervals in milliseconds. Only the last characters of each update are reported. */
const UPDATE_INTERVAL = 100
const HEARTBEAT_INTERVAL = 10_000
const MAX_CHARACTERS = 8000

/** Reports output at most ten times a second, and the running time if there is no output. */
export function createLiveOutput(
  progress: ToolContext['progress'],
  signOfLife: number = HEARTBEAT_INTERVAL,
): LiveOutput {
  const began = performance.now()
  const waiting: Record<OutputStream, string> = { stdout: '', stderr: '' }
  let timer: NodeJS.Timeout | undefined
  const pulse = setInterval(() => {
    const seconds = Math.round((performance.now() - began) / 1000)
    progress({ type: 'note', text: `Running for ${seconds} s` })
  }, signOfLife)

  function flush(): void {
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
      timer ??= setTimeout(flush, UPDATE_INTERVAL)
    },
    end() {
      clearInterval(pulse)
      flush()
    },
  }
}

function lastOf(text: string): string {
  if (text.length <= MAX_CHARACTERS) return text
  const tail = text.slice(-MAX_CHARACTERS)
  const unit = tail.charCodeAt(0)
  return `… ${unit >= 0xdc00 && unit <= 0xdfff ? tail.slice(1) : tail}`
}
