import { Toast as Radix } from 'radix-ui'
import { createContext, use, useCallback, useState } from 'react'
import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { Icon } from './icon.tsx'
import { VisibleText } from './visible-text.tsx'
import { Dot } from './dot.tsx'
import { Button } from './button.tsx'

/** A short message that disappears by itself, unless it offers an action. */
export interface Toast {
  readonly title: string
  readonly text?: string
  /** The meaning of its color. */
  readonly kind?: 'ok' | 'ask' | 'no'
  readonly actions?: readonly { readonly label: string; readonly run: () => void }[]
  /** Display time in milliseconds. Default: 6 seconds, or 10 minutes for errors and actions. */
  readonly duration?: number
}

/** Shows a message. Returns a function that removes it. */
type Show = (toast: Toast) => () => void
const Context = createContext<Show>(() => () => {})

/** The number of the latest message. */
let last = 0

/** Returns a function that shows short messages. */
export function useToast(): Show {
  return use(Context)
}

/** Provides short messages to its children, and shows them. */
export function Toasts({ children }: { readonly children: ReactNode }): ReactNode {
  const { t } = useWords()
  const [toasts, setToasts] = useState<readonly (Toast & { readonly id: number })[]>([])
  const remove = useCallback(
    (id: number): void => setToasts((before) => before.filter((each) => each.id !== id)),
    [],
  )
  const show = useCallback<Show>(
    (toast) => {
      const id = ++last
      setToasts((before) => [...before.slice(-3), { ...toast, id }])
      return () => remove(id)
    },
    [remove],
  )
  return (
    <Context value={show}>
      <Radix.Provider label={t('shell.notification')} swipeDirection="right">
        {children}
        {toasts.map(({ id, title, text, kind = 'ok', actions = [], duration }) => (
          <Radix.Root
            key={id}
            className="static grid gap-2 rounded-lg bg-panel px-[13px] py-[11px] shadow-float"
            // A success message does not interrupt a screen reader.
            type={kind === 'ok' ? 'background' : 'foreground'}
            duration={duration ?? (actions.length > 0 || kind === 'no' ? 600_000 : 6000)}
            onOpenChange={(open) => !open && remove(id)}
            onEscapeKeyDown={(event) => {
              // Prevents the key from also stopping a run.
              event.preventDefault()
              remove(id)
            }}
          >
            <div className="cluster flex-nowrap">
              <Dot tone={kind} />
              <Radix.Title className="min-w-0 flex-1 font-500">{title}</Radix.Title>
              <Radix.Close className="icon-button icon-button-small" aria-label={t('shell.close')}>
                <Icon name="x" />
              </Radix.Close>
            </div>
            {text !== undefined && (
              <Radix.Description className="wrap-anywhere whitespace-pre-line text-ink-2">
                <VisibleText text={text} />
              </Radix.Description>
            )}
            {actions.length > 0 && (
              <div className="cluster">
                {actions.map(({ label, run }, at) => (
                  <Radix.Action key={label} asChild altText={label}>
                    <Button small look={at === 0 ? 'primary' : undefined} onClick={run}>
                      {label}
                    </Button>
                  </Radix.Action>
                ))}
              </div>
            )}
          </Radix.Root>
        ))}
        <Radix.Viewport className="fixed top-15 right-[18px] z-50 grid w-[min(360px,calc(100vw-24px))] gap-2 outline-none" />
      </Radix.Provider>
    </Context>
  )
}
