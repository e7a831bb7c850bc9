import type { ReactNode } from 'react'
import { VisibleText } from '../ui/visible-text.tsx'
import { useWords } from '../words/words.ts'
import { fileAndLine, isOwn, type Place } from './place.ts'
import { usePathText } from './use-path-text.ts'

/** Where something is written. */
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
