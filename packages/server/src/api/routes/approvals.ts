import { type PendingRequest, JournalError, type PendingApproval } from '@toolglot/agent/journal'
import { z } from 'zod'
import type { Endpoint, ApiContext } from '../endpoint.ts'
import { pendingRequest, type NetworkAnswer, networkAnswer } from '../schemas/pending-request.ts'
import { eventStreamResponse, type ServerSentEvent } from '../event-stream.ts'
import type { Decision } from '@toolglot/permissions'
import type { Answers } from '@toolglot/agent'
import { isHostName } from '@toolglot/agent/internal'
import { HttpError } from '../../security/http-error.ts'
import { typed } from '../schemas/described.ts'

/** Lists the pending requests. */
export const listApprovals: Endpoint<'GET /api/approvals', object, readonly PendingRequest[]> = {
  name: 'GET /api/approvals',
  about: 'List the pending requests of all runs, the oldest first.',
  answers: { 200: { about: 'The pending requests.', schema: z.array(pendingRequest) } },
  handle: (_, { services: { approvals } }) => approvals.list(),
}

/** Streams the pending requests. */
export const followApprovals: Endpoint<'GET /api/approvals/events', object, Response> = {
  name: 'GET /api/approvals/events',
  about: 'Follow the pending requests, as server-sent events.',
  details:
    'Each message has the complete list as `data`: once at the start, and after every change. While a client is connected, and for 30 seconds afterwards, POST /api/tools/execute waits for approval instead of denying.',
  answers: {
    200: {
      about: 'A stream of lists.',
      type: 'text/event-stream',
      schema: z.array(pendingRequest),
    },
  },
  handle(_, { services: { approvals, closing }, isAllowed }) {
    const stop = new AbortController()
    return eventStreamResponse(messages(), { stop, closing, isAllowed })

    async function* messages(): AsyncGenerator<ServerSentEvent, void> {
      for await (const data of approvals.follow(stop.signal)) yield { data }
    }
  },
}

/** An approval. */
interface Approve {
  readonly key: string
  readonly always?: 'run' | 'user' | 'folder' | undefined
  readonly network?: NetworkAnswer | undefined
}

/** A denial. */
interface Deny {
  readonly key: string
  readonly reason?: string | undefined
  readonly stop?: boolean | undefined
}

/** The answers to questions. */
interface Answer {
  readonly key: string
  readonly answers: Answers
}

const key = z.string().min(1).max(1000).describe('The key of the request, as listed.')
const done = { 204: { about: 'The answer is recorded. The first one counts.' } }

/** Approves a call. */
export const approveCall: Endpoint<
  'POST /api/runs/:run/approve',
  { readonly body: Approve },
  undefined
> = {
  name: 'POST /api/runs/:run/approve',
  about: 'Allow a pending call: once, or always.',
  body: typed(
    z.strictObject({
      key,
      always: z
        .enum(['run', 'user', 'folder'])
        .optional()
        .describe(
          'Also add the suggested rules: for the rest of the run (not of a call without one), to your own settings, or to the local settings of the folder.',
        ),
      network: networkAnswer
        .optional()
        .describe('The network access of the call, if the request has a network notice.'),
    }),
  ),
  answers: done,
  async handle({ parameters: { run }, body }, context) {
    const { services } = context
    const request = await pending(run, body.key, 'approval', context)
    const { always, network } = body
    if (network) refuseNetwork(network, request)
    if (always && !request.suggestions.some((each) => 'rule' in each))
      throw new HttpError('unprocessable', 'No rule can allow this call permanently.', {
        action: 'Allow it without "always". Nothing was changed.',
      })
    const isForFolder = typeof network === 'object' && network.always === 'folder'
    if (always === 'folder' || isForFolder) await refuseUntrusted(run, context)
    await services.approvals.answer(run, body.key, {
      verdict: 'allow',
      always,
      network,
    })
    return undefined
  },
}

/** Denies a call. */
export const denyCall: Endpoint<'POST /api/runs/:run/deny', { readonly body: Deny }, undefined> = {
  name: 'POST /api/runs/:run/deny',
  about: 'Deny a pending call, with a reason for the model.',
  body: typed(
    z.strictObject({
      key,
      reason: z.string().max(10_000).optional().describe('Shown to the model.'),
      stop: z.boolean().optional().describe('Also end the run.'),
    }),
  ),
  answers: done,
  async handle({ parameters: { run }, body: { key: asked, reason, stop } }, context) {
    const { services } = context
    await pending(run, asked, 'approval', context)
    await services.approvals.answer(run, asked, {
      verdict: 'deny',
      reason,
      stop: stop || undefined,
    })
    return undefined
  },
}

/** Answers questions. */
export const answerQuestions: Endpoint<
  'POST /api/runs/:run/answer',
  { readonly body: Answer },
  undefined
> = {
  name: 'POST /api/runs/:run/answer',
  about: 'Answer pending questions of a run.',
  body: typed(
    z.strictObject({
      key,
      answers: z
        .record(
          z.string().max(10_000),
          z.union([z.string().max(10_000), z.array(z.string().max(10_000)).max(100)]),
        )
        .describe(
          'The answers by the text of the question: a label, several labels, or other text.',
        ),
    }),
  ),
  answers: done,
  async handle({ parameters: { run }, body: { key: asked, answers } }, context) {
    const { services } = context
    const { questions } = await pending(run, asked, 'question', context)
    const missing = questions.find(({ question }) => !Object.hasOwn(answers, question))
    if (missing)
      throw new HttpError('unprocessable', `The question "${missing.question}" has no answer.`, {
        action: 'Answer all questions together. Nothing was changed.',
      })
    const texts = new Set(questions.map(({ question }) => question))
    const unknown = Object.keys(answers).find((text) => !texts.has(text))
    if (unknown !== undefined)
      throw new HttpError('unprocessable', `There is no question "${unknown.slice(0, 200)}".`, {
        action: 'Repeat the text of each question exactly. Nothing was changed.',
      })
    await services.approvals.answer(run, asked, answers)
    return undefined
  },
}

/** Finds the pending request with a key. Throws if none exists or it has another type. */
async function pending<Type extends PendingRequest['type']>(
  run: string,
  asked: string,
  type: Type,
  { services: { approvals, executions, runs } }: ApiContext,
): Promise<Extract<PendingRequest, { type: Type }>> {
  const request = (await approvals.list(run)).find((each) => each.key === asked)
  if (!request) {
    if (!(await executions.find(run, 0, []))) await runs.find(run)
    throw new JournalError('not_pending', 'No request with this key is pending in this run.')
  }
  if (request.type === type) return request as Extract<PendingRequest, { type: Type }>
  throw new HttpError(
    'unprocessable',
    type === 'question'
      ? 'The run is waiting for the approval of a call, not for answers to questions.'
      : 'The run is waiting for answers to questions, not for the approval of a call.',
    { action: type === 'question' ? 'Approve or deny it.' : 'Answer them.' },
  )
}

/** Throws unless an answer about the network is applicable. */
function refuseNetwork(network: NetworkAnswer, request: PendingApproval): void {
  if (!request.network)
    throw new HttpError('unprocessable', 'The network access of this call is not limited.', {
      action: 'Allow it without "network". Nothing was changed.',
    })
  const wrong = network === 'once' ? undefined : network.hosts.find((host) => !isHostName(host))
  if (wrong !== undefined)
    throw new HttpError(
      'unprocessable',
      `"${wrong.slice(0, 200)}" is not the name of a host, such as registry.npmjs.org.`,
      { action: 'Write hosts in lower case, without a port or a path. Nothing was changed.' },
    )
}

/**
 * Throws unless rules can be added to the settings of a run's folder. Executions check this
 * themselves.
 */
async function refuseUntrusted(
  run: string,
  { services: { executions, runs, folders } }: ApiContext,
): Promise<void> {
  if (await executions.find(run, 0, [])) return
  const { trust } = await folders.open((await runs.find(run)).folder)
  if (trust === 'trusted') return
  throw new HttpError('unprocessable', 'The rules of an untrusted folder have no effect.', {
    action: 'Trust the folder first, or allow it for the run. Nothing was changed.',
  })
}

/** The changes that a call would make. */
interface ChangePreview {
  /** A unified diff. Undefined if nothing changes or the diff is unknown. */
  readonly diff?: string | undefined
}

/** Shows the changes that a pending call would make. */
export const previewCall: Endpoint<
  'GET /api/runs/:run/preview',
  { readonly query: { readonly key: string } },
  ChangePreview
> = {
  name: 'GET /api/runs/:run/preview',
  about: 'Show the changes that a pending call would make, as a diff, if its tool supports that.',
  query: z.strictObject({ key: z.string().min(1).max(1000).describe('The key of the request.') }),
  answers: {
    200: { about: 'The diff, if there is one.', schema: z.object({ diff: z.string().optional() }) },
  },
  async handle(
    { parameters: { run }, query: { key } },
    { services: { runs, folders, journal, executions } },
  ) {
    const asked = executions.decision(run, key) ?? (await recorded())
    const call = asked?.decision.call
    const paths = asked?.decision.parts.flatMap(({ real }) => (real === undefined ? [] : [real]))
    if (!call || !paths) return {}
    const workspace = await folders.open(asked?.folder)
    const diff = await folders.useOwnTools(workspace, undefined, async ({ tools }) =>
      tools.get(call.name)?.preview?.(call.args, { paths }),
    )
    return diff === undefined ? {} : { diff }

    async function recorded(): Promise<Asked | undefined> {
      const { folder, imported } = await runs.find(run)
      // An imported run has no pending calls here, and its records may contain arbitrary data.
      if (imported) return undefined
      const records = await journal.read(run)
      const wait = records.find((record) => record.kind === 'wait' && record.key === key)
      const { decision } = (wait?.value as { request?: { decision?: Decision } })?.request ?? {}
      return decision && { folder, decision }
    }
  },
}

interface Asked {
  readonly folder: string | undefined
  readonly decision: Decision
}
