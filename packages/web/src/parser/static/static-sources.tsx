import { useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import source from 'virtual:parse-worker'
import { Logo } from '../../app/logo.tsx'
import { LookButtons } from '../../app/look-buttons.tsx'

import { useWords } from '../../words/words.ts'
import {
  type FrameProps,
  type ParserAddress,
  type ParserSources,
  type ParserTab,
  trustedUrl,
} from '../sources.ts'
import { ViewMain, ViewHeader, ViewTitle } from '../../app/view-parts.tsx'

/**
 * The environment of the Parser as a separate page: without a server's tools, runs and protocols.
 */
export const staticSources: ParserSources = {
  startWorker,
  useAddress,
  Frame,
  linkTo: (fragment) => `${withoutFragment()}#${fragment}`,
}

let url: string | undefined

/** Starts the worker from its script, which is included in this file. */
function startWorker(): Worker {
  url ??= URL.createObjectURL(new Blob([source], { type: 'text/javascript' }))
  return new Worker(trustedUrl(url))
}

let tab: ParserTab = 'reading'
const listeners = new Set<() => void>()

function useAddress(): ParserAddress {
  const fragment = useSyncExternalStore(subscribe, () => location.hash.slice(1))
  return {
    tab: useSyncExternalStore(subscribe, () => tab),
    fragment,
    show(next) {
      tab = next
      changed()
    },
    forgetText() {
      if (fragment === '') return
      history.replaceState(null, '', withoutFragment())
      changed()
    },
  }
}

function withoutFragment(): string {
  return location.href.split('#')[0]!
}

function changed(): void {
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  addEventListener('hashchange', listener)
  return () => {
    listeners.delete(listener)
    removeEventListener('hashchange', listener)
  }
}

function Frame({ actions, children }: FrameProps): ReactNode {
  const { t } = useWords()
  return (
    <ViewMain className="h-dvh">
      <ViewHeader>
        <Logo />
        <ViewTitle title={t('view.parser')} />
        <span className="min-w-0 truncate text-ink-3 phone:hidden!">{t('parser.about')}</span>
        <span className="min-w-0 flex-1" />
        {actions}
        <LookButtons />
      </ViewHeader>
      <div className="view-body">{children}</div>
    </ViewMain>
  )
}
