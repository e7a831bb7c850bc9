import type { ReactNode } from 'react'
import { PlaceText } from '../settings/place-text.tsx'
import type { Settings } from '../settings/place.ts'
import { Banner } from '../ui/banner.tsx'
import { useWords } from '../words/words.ts'
import type { ListedTool } from './listed-tool.ts'
import { isTurnable } from './tool-card.tsx'

/** That a tool is off, which setting turns it off, and where that is written. */
export function ToolOff({
  tool,
  settings,
}: {
  readonly tool: ListedTool
  readonly settings: Settings | undefined
}): ReactNode {
  const { t } = useWords()
  const { disabledBy } = tool
  return (
    <Banner icon="slash">
      {t('tools.off')}{' '}
      {disabledBy && settings && (
        <>
          {t('tools.off.by', { key: disabledBy.key })}{' '}
          <PlaceText place={disabledBy} settings={settings} />
          <br />
        </>
      )}
      {isTurnable(tool, settings) ? t('tools.running') : t('tools.off.elsewhere')}
    </Banner>
  )
}
