import { ModelError } from './model-error.ts'

/** How long a model is waited for. */
export interface Patience {
  /** Aborted when the caller stops, or when it took too long. */
  readonly signal: AbortSignal
  /** Something came: the wait begins anew. Before the first call only the whole time counts. */
  heard(): void
  /** Why it was aborted: what the caller gave, or a ModelError. */
  throwIfOver(): void
  /** Ends the waiting, and the connection with it. */
  end(): void
}

export interface PatienceOptions {
  /** Without a byte, in milliseconds, once it began to answer. */
  readonly idleTimeout: number
  /** For the whole reply, in milliseconds. */
  readonly timeout: number
  /** Who does not answer, for people. */
  readonly name: string
}

export function patienceOf(
  caller: AbortSignal,
  { idleTimeout, timeout, name }: PatienceOptions,
): Patience {
  const own = new AbortController()
  const stop = (): void => own.abort(caller.reason)
  const giveUp = (problem: 'idle' | 'timeout', message: string): void =>
    own.abort(new ModelError(problem, message))
  if (caller.aborted) stop()
  else caller.addEventListener('abort', stop, { once: true })

  const whole = after(timeout, () =>
    giveUp(
      'timeout',
      `${name} did not finish its reply in ${timeout / 1000} s: ask for less, or allow more time.`,
    ),
  )
  let idle: ReturnType<typeof setTimeout> | undefined
  return {
    signal: own.signal,
    heard() {
      clearTimeout(idle)
      if (own.signal.aborted) return
      idle = after(idleTimeout, () =>
        giveUp(
          'idle',
          `${name} sent nothing for ${idleTimeout / 1000} s in the middle of a reply: it may be overloaded or stuck.`,
        ),
      )
    },
    throwIfOver: () => own.signal.throwIfAborted(),
    end() {
      clearTimeout(whole)
      clearTimeout(idle)
      caller.removeEventListener('abort', stop)
      own.abort(new Error('the reply is over'))
    },
  }
}

/** What is longer than timers can count is for ever. */
function after(milliseconds: number, work: () => void): ReturnType<typeof setTimeout> | undefined {
  return milliseconds < 2 ** 31 ? setTimeout(work, milliseconds) : undefined
}
