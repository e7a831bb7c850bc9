import type { PendingRequest } from '@toolglot/agent/journal'
import type { CallPart } from '@toolglot/react/view'

/** A pending request as a call part, as the view of its run would show it. */
export function partOf(request: PendingRequest): CallPart {
  const { key, call, run, tool, args, since } = request
  const part = { type: 'call', id: call, name: tool, written: '' } as const
  if (request.type === 'question') {
    return { ...part, question: { key, questions: request.questions } }
  }
  const { parts, runs, unprinted, code, suggestions, expires, network } = request
  const always = suggestions.flatMap((each) => ('rule' in each ? [each.rule] : []))
  const deciding = parts.find(({ verdict }) => verdict === 'ask')
  const decision = {
    ...(deciding ?? { what: tool, verdict: 'ask' as const, why: '' }),
    parts,
    call: { name: tool, args },
    runs,
    unprinted,
    code,
  }
  return {
    ...part,
    approval: {
      key,
      args,
      since,
      request: {
        run,
        call,
        hash: '',
        decision,
        always: [...new Set(always)],
        suggestions,
        expires,
        network,
      },
    },
  }
}

/** True if the request is about a call that was executed outside a run. */
export function isExecution({ run }: Pick<PendingRequest, 'run'>): boolean {
  return run.startsWith('exec-')
}
