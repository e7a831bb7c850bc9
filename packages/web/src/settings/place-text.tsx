import type { ReactNode } from 'react'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { usePathText } from '../folders/short-path.ts'
import type { ApiAnswer } from '@toolglot/server/client'

/** The location of a setting. */
export function PlaceText({
  place,
  settings,
}: {
  readonly place: Place
  readonly settings: { readonly folder: string; readonly userFile: string }
}): ReactNode {
  const { t } = useWords()
  const shorten = usePathText(settings.folder)
  const full = fileAndLine(place, (path) => path)
  if (isOwn(place, settings)) return <span title={full}>{t('settings.place.own')}</span>
  if (place.file === undefined)
    return <span>{place.scope === 'cli' ? t('settings.place.given') : place.scope}</span>
  return (
    <span title={full}>
      {place.scope === 'managed' && `${t('settings.place.managed')} · `}
      <VisibleText text={fileAndLine(place, shorten)} />
    </span>
  )
}

/** The settings that apply in a folder. */
export type Settings = ApiAnswer<'GET /api/settings'>
/** A value in a settings file. */
export type Setting = Settings['values'][number]
/** The location of a setting. */
type Place = Pick<Setting, 'scope' | 'file' | 'line'>

/** True if the user's own settings contain it, which this page can change. */
export function isOwn(place: Place, { userFile }: Pick<Settings, 'userFile'>): boolean {
  return place.file === userFile
}

/** A file and line in the notation of editors. */
export function fileAndLine({ file, line }: Place, shorten: (path: string) => string): string {
  return `${shorten(file ?? '')}${line === undefined ? '' : `:${line}`}`
}

/** The effective value of a single-valued key: the one with the highest precedence. */
export function effectiveValue(
  { values }: Pick<Settings, 'values'>,
  key: string,
): Setting | undefined {
  return values.find((each) => each.key === key && each.counts)
}

/** The value of a key in the user's own settings. */
export function ownValue(settings: Pick<Settings, 'values' | 'userFile'>, key: string): unknown {
  return settings.values.find((each) => each.key === key && isOwn(each, settings))?.value
}
