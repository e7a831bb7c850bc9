import type { ReactNode } from 'react'
import { setTheme, type Theme, useTheme } from '../../app/theme.ts'
import { Segments } from '../../ui/segments.tsx'
import { type Language, LANGUAGES, useWords } from '../../words/words.ts'
import { PageFrame } from '../page-frame.tsx'

const THEMES: readonly Theme[] = ['light', 'dark', 'system']

/** The language of the page and its theme. */
export default function LookPage(): ReactNode {
  const words = useWords()
  const { t, language } = words
  return (
    <PageFrame title={t('settings.page.look')}>
      <div className="grid justify-items-start gap-1.5">
        <h3 className="font-580">{t('settings.look.language')}</h3>
        <Segments
          label={t('settings.look.language')}
          value={language}
          onChange={(next) => words.setLanguage(next)}
          options={Object.entries(LANGUAGES).map(([value, label]) => ({
            value: value as Language,
            label: <span lang={value}>{label}</span>,
          }))}
        />
        <p className="help">{t('settings.look.languageHelp')}</p>
      </div>
      <div className="grid justify-items-start gap-1.5">
        <h3 className="font-580">{t('settings.look.theme')}</h3>
        <Segments
          label={t('settings.look.theme')}
          value={useTheme()}
          onChange={setTheme}
          options={THEMES.map((value) => ({ value, label: t(`settings.look.${value}`) }))}
        />
      </div>
      <p className="text-ink-2">{t('settings.look.kept')}</p>
    </PageFrame>
  )
}
