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
import { Button } from '../ui/button.tsx'
import { Spinner } from '../ui/spinner.tsx'

/** A chat before its first message: examples and the selected model. */
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
    <div className="grid min-h-0 items-center justify-items-center overflow-auto overscroll-contain p-6 phone:px-3.5 phone:py-4">
      <div className="empty w-full max-w-160 gap-3.5">
        {models === undefined ? (
          <p className={`${PARAGRAPH} text-ink-3`} role="status">
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

const PARAGRAPH = 'max-w-[520px] text-pretty'
const LAST_CELL = 'py-1 align-baseline phone:px-0 phone:py-px'
const CELL = `${LAST_CELL} text-left`

/** Prompts that the script understands, in each language. */
const OTHERS = ['compose.demo.todo', 'compose.demo.question', 'compose.demo.find'] as const

/** Shown if a script answers: its examples, and how to start a model. */
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
  // The script can also be selected if there are models.
  const isChosen = choice.reference !== undefined
  return (
    <>
      <h2 className="text-18 font-600 wrap-anywhere">
        {t(isChosen ? 'compose.demo.chosen' : 'compose.demo')}
      </h2>
      <p className={`${PARAGRAPH} text-ink-2`}>{t('compose.demo.about')}</p>
      <div
        className="flex flex-wrap justify-center gap-2"
        role="group"
        aria-label={t('compose.examples')}
      >
        <Button
          look="primary"
          className="h-auto min-h-8 whitespace-normal"
          disabled={isBusy}
          onClick={() => send(t('compose.demo.version'))}
        >
          {t('compose.demo.version')}
        </Button>
        <ExampleButtons keys={OTHERS} {...{ send, isBusy }} />
      </div>
      {!isChosen && (
        <section
          className="grid w-full gap-1.5 rounded-lg border border-line bg-panel px-[13px] py-2.5 text-left"
          aria-labelledby="servers-looked-for"
        >
          <div className="cluster">
            <h3 id="servers-looked-for" className="min-w-0 flex-1 text-13 font-560">
              {t('compose.servers')}
            </h3>
            <span className="text-ink-3" role="status">
              {looked === 'done' && t('compose.servers.nothing')}
            </span>
            <Button small disabled={looked === 'looking'} onClick={lookAgain}>
              {looked === 'looking' ? <Spinner /> : <Icon name="redo" />}
              {t('compose.servers.again')}
            </Button>
          </div>
          <table>
            <tbody>
              {servers.map(({ id, name, url, status, start }) => (
                <tr key={id} className="phone:grid phone:py-1">
                  <th scope="row" className={`${CELL} pr-3 font-510`}>
                    {name}
                  </th>
                  <td className={`${CELL} pr-3 font-400 text-ink-2`}>
                    {t(`compose.servers.${status}`)}{' '}
                    <span className="font-mono text-12 wrap-anywhere">{hostOf(url)}</span>
                  </td>
                  <td className={`${LAST_CELL} text-right font-400 phone:text-left`}>
                    {status !== 'running' && (
                      <code
                        className="rounded-sm bg-hover px-1.5 py-0.5 text-12 wrap-anywhere"
                        title={t('compose.servers.start')}
                      >
                        {start}
                      </code>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
          <p className={`${PARAGRAPH} text-ink-3`}>
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
