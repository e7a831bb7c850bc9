import type { ReactNode } from 'react'
import { Icon } from '../ui/icon.tsx'
import { Menu } from '../ui/menu.tsx'
import { type Language, LANGUAGES, useWords } from '../words/words.ts'
import { useConnection } from './connection.ts'
import { setTheme, useDark } from './theme.ts'

/** Whether the server answers and where it is, light or dark, and the language. */
export function SideFooter(): ReactNode {
  const { t, language, setLanguage } = useWords()
  const { isLost } = useConnection()
  const isDark = useDark()
  const flip = t(isDark ? 'shell.theme.light' : 'shell.theme.dark')
  const state = t(isLost ? 'shell.connecting' : 'shell.connected')
  return (
    <footer>
      <span className="live" title={`${state} · ${location.host}`}>
        <i className={`dot ${isLost ? 'no' : 'ok'}`} />
        <span className="cut">
          {state}
          <span className="cut block dim-2">{location.host}</span>
        </span>
      </span>
      <Menu
        side="top"
        align="end"
        label={t('shell.language')}
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
        items={(Object.keys(LANGUAGES) as Language[]).map((each) => ({
          label: LANGUAGES[each],
          isChosen: each === language,
          run: () => setLanguage(each),
        }))}
      />
      <button
        type="button"
        className="icon-btn sm"
        aria-label={flip}
        title={flip}
        onClick={() => setTheme(isDark ? 'light' : 'dark')}
      >
        <Icon name={isDark ? 'sun' : 'moon'} />
      </button>
    </footer>
  )
}
