import { useSyncExternalStore } from 'react'
import type { ReactNode } from 'react'
import source from 'virtual:parse-worker'
import { Logo } from '../../app/logo.tsx'
import { setTheme, useDark } from '../../app/theme.ts'
import { Icon } from '../../ui/icon.tsx'
import { Menu } from '../../ui/menu.tsx'
import { LANGUAGES, type Language, useWords } from '../../words/words.ts'
import { type ParserAddress, type ParserSources, type ParserTab, trustedUrl } from '../sources.ts'

/** The Parser as a page of its own: without tools, runs and protocols of a server. */
export const staticSources: ParserSources = {
  startWorker,
  useAddress,
  Frame,
  linkTo: (fragment) => `${withoutFragment()}#${fragment}`,
}

let url: string | undefined

/** Starts the worker from the text of its script, which is in this file. */
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

function Frame({
  actions,
  children,
}: {
  readonly actions: ReactNode
  readonly children: ReactNode
}): ReactNode {
  const { t, language, setLanguage } = useWords()
  const isDark = useDark()
  const theme = t(isDark ? 'shell.theme.light' : 'shell.theme.dark')
  return (
    <main className="main static-main">
      <header className="top">
        <Logo />
        <h1>{t('view.parser')}</h1>
        <span className="dim-2 cut wide-only">{t('parser.about')}</span>
        <span className="grow" />
        {actions}
        <Menu
          label={t('shell.language')}
          align="end"
          items={(Object.keys(LANGUAGES) as Language[]).map((each) => ({
            label: LANGUAGES[each],
            isChosen: each === language,
            run: () => setLanguage(each),
          }))}
          trigger={
            <button
              type="button"
              className="icon-btn sm"
              aria-label={t('shell.language')}
              title={t('shell.language')}
            >
              <Icon name="globe" />
            </button>
          }
        />
        <button
          type="button"
          className="icon-btn sm"
          aria-label={theme}
          title={theme}
          onClick={() => setTheme(isDark ? 'light' : 'dark')}
        >
          <Icon name={isDark ? 'sun' : 'moon'} />
        </button>
      </header>
      <div className="body">{children}</div>
    </main>
  )
}
