import type { ReactNode } from 'react'
import { IconButton } from '../ui/icon-button.tsx'
import { Menu } from '../ui/menu.tsx'
import { type Language, LANGUAGES, useWords } from '../words/words.ts'
import { setTheme, useDark } from './theme.ts'

/** Menus for the language and the theme. */
export function LookButtons({ side }: { readonly side?: 'top' }): ReactNode {
  const { t, language, setLanguage } = useWords()
  const isDark = useDark()
  return (
    <>
      <Menu
        side={side}
        align="end"
        label={t('shell.language')}
        trigger={<IconButton icon="globe" label={t('shell.language')} />}
        items={(Object.keys(LANGUAGES) as Language[]).map((each) => ({
          label: LANGUAGES[each],
          isChosen: each === language,
          run: () => setLanguage(each),
        }))}
      />
      <IconButton
        icon={isDark ? 'sun' : 'moon'}
        label={t(isDark ? 'shell.theme.light' : 'shell.theme.dark')}
        onClick={() => setTheme(isDark ? 'light' : 'dark')}
      />
    </>
  )
}
