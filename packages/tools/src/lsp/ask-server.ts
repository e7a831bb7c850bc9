import { pathToFileURL } from 'node:url'
import { ToolError } from '@toolglot/agent'
import { ResponseError } from 'vscode-jsonrpc/node'
import type { CodePlace, LanguageTopics, LanguageTopic, LanguageAnswer } from '../host/language.ts'
import { askAgain } from './ask-again.ts'
import type { ChangedFiles } from './changed-files.ts'
import { endingOf, type ServerDefinition } from './definition.ts'
import { questions } from './questions.ts'
import { type LanguageServer, ServerEndedError, ServerTimeoutError } from './server.ts'
import type { ServerSlot } from './server-slot.ts'

interface AskServerOptions<Topic extends LanguageTopic> {
  readonly slot: ServerSlot
  readonly definition: ServerDefinition
  readonly topic: Topic
  readonly place: CodePlace
  readonly signal: AbortSignal
}

/** Asks the server of a project. Starts it if necessary, and notifies it of changed files first. */
export async function askServer<Topic extends LanguageTopic>({
  slot,
  definition,
  topic,
  place,
  signal,
}: AskServerOptions<Topic>): Promise<LanguageAnswer<LanguageTopics[Topic]>> {
  const { changes, name } = slot
  if (!slot.isRunning) await changes.changesSinceLastCall(signal)
  const server = await slot.server()
  try {
    await notifyChanges(server, changes, place.path, signal)
    const language = definition.languages[endingOf(place.path)]!
    const document = server.documents.sync(place.path, place.text, language)
    const ask = (): Promise<LanguageTopics[Topic]> =>
      questions[topic]({ server, document, place, signal })
    return { ...(await askAgain(server, ask, signal)), server: name }
  } catch (error) {
    throw explainError(error, name, server)
  }
}

/** The type of `askServer`, which is loaded on demand. */
export type AskServer = typeof askServer

/** Notifies the server of files that changed since the last question. Those that are open are read from disk again. */
async function notifyChanges(
  server: LanguageServer,
  changes: ChangedFiles,
  path: string,
  signal: AbortSignal,
): Promise<void> {
  const { documents } = server
  const changed = await changes.changesSinceLastCall(signal, documents.paths)
  if (changed.length === 0) return
  for (const change of changed) if (change.path !== path) documents.close(change.path)
  const events = changed.map((change) => ({
    uri: pathToFileURL(change.path).href,
    type: change.type,
  }))
  server.notify('workspace/didChangeWatchedFiles', { changes: events })
}

function explainError(error: unknown, name: string, { progress }: LanguageServer): unknown {
  if (error instanceof ServerEndedError)
    return new ToolError(
      'execution_failed',
      `The language server ${name} ${error.message}. The next call starts it again.`,
      { code: 'server_ended', server: name },
    )
  if (error instanceof ServerTimeoutError) {
    const why = progress.isLoading ? ' and is still loading the project. Try again later' : ''
    return new ToolError('timeout', `The language server ${name} ${error.message}${why}.`, {
      code: 'server_silent',
      server: name,
    })
  }
  if (error instanceof ResponseError) {
    const cannot = error.code === UNKNOWN_METHOD ? ' It does not support this.' : ''
    return new ToolError(
      'execution_failed',
      `The language server ${name} reports: ${error.message.slice(0, 2000)}.${cannot}`,
      { code: 'server_answer', server: name },
    )
  }
  return error
}

const UNKNOWN_METHOD = -32601
