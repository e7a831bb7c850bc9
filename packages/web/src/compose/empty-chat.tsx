import type { Chat } from '@toolglot/react'
import { type ReactNode, useState } from 'react'
import { useWords } from '../words/words.ts'
import { composeKey, useCompose } from './compose-store.ts'
import { ExampleButtons, ReadyModel } from './ready-model.tsx'
import { useSelected } from './use-selected.ts'
import { useSend } from './use-send.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Icon } from '../ui/icon.tsx'
import type { ModelList } from './choices.ts'

/** A chat before its first message: examples, and the model that answers. */
export function EmptyChat({
  chat,
  folder,
}: {
  readonly chat: Chat
  readonly folder: string | undefined
}): ReactNode {
  const { t } = useWords()
  const [compose, change] = useCompose(composeKey(chat, folder))
  const selected = useSelected(compose.choices, undefined, folder)
  const { send } = useSend(chat, folder)
  const { models, isScript } = selected
  return (
    <div className="scroll emptychat">
      <div className="empty">
        {models === undefined ? (
          <p className="dim-2" role="status">
            {t('compose.empty.looking')}
          </p>
        ) : isScript ? (
          <NoModel {...{ models, send }} isBusy={compose.isSending} />
        ) : (
          <ReadyModel
            {...{ models, selected, send }}
            isBusy={compose.isSending}
            onAgree={(model) => change({ choices: { ...compose.choices, model } })}
          />
        )}
      </div>
    </div>
  )
}

/** Prompts that the script understands, in each language. */
const OTHERS = ['compose.demo.todo', 'compose.demo.question', 'compose.demo.find'] as const

/** A script answers: says so, what it can do, and how to start a model instead. */
function NoModel({
  models: { servers, choice },
  send,
  isBusy,
}: {
  readonly models: ModelList
  readonly send: (text: string) => void
  readonly isBusy: boolean
}): ReactNode {
  const { t } = useWords()
  const queries = useQueryClient()
  const [looked, setLooked] = useState<'not' | 'looking' | 'done'>('not')
  const lookAgain = (): void => {
    setLooked('looking')
    void queries.refetchQueries({ queryKey: ['GET /api/models'] }).finally(() => setLooked('done'))
  }
  const hasRunning = servers.some(({ status }) => status === 'running')
  // It can be chosen although there are models.
  const isChosen = choice.reference !== undefined
  return (
    <>
      <h2>{t(isChosen ? 'compose.demo.chosen' : 'compose.demo')}</h2>
      <p className="dim">{t('compose.demo.about')}</p>
      <div className="examples" role="group" aria-label={t('compose.examples')}>
        <button
          type="button"
          className="btn pri"
          disabled={isBusy}
          onClick={() => send(t('compose.demo.version'))}
        >
          {t('compose.demo.version')}
        </button>
        <ExampleButtons keys={OTHERS} {...{ send, isBusy }} />
      </div>
      {!isChosen && (
        <section className="servers" aria-labelledby="servers-looked-for">
          <div className="rowline">
            <h3 id="servers-looked-for" className="grow">
              {t('compose.servers')}
            </h3>
            <span className="dim-2" role="status">
              {looked === 'done' && t('compose.servers.nothing')}
            </span>
            <button
              type="button"
              className="btn sm"
              disabled={looked === 'looking'}
              onClick={lookAgain}
            >
              {looked === 'looking' ? <span className="spin" /> : <Icon name="redo" />}
              {t('compose.servers.again')}
            </button>
          </div>
          <table>
            <tbody>
              {servers.map(({ id, name, url, status, start }) => (
                <tr key={id}>
                  <th scope="row">{name}</th>
                  <td className="dim">
                    {t(`compose.servers.${status}`)} <span className="mono">{hostOf(url)}</span>
                  </td>
                  <td>
                    {status !== 'running' && (
                      <code title={t('compose.servers.start')}>{start}</code>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className="dim-2">
            {t(hasRunning ? 'compose.servers.empty' : 'compose.servers.hint')}
          </p>
        </section>
      )}
    </>
  )
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url
}
