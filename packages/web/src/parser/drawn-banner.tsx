import type { ReactNode } from 'react'
import { Banner } from '../ui/banner.tsx'
import { useWords } from '../words/words.ts'
import { changeParser, keepDrawing, type ParserState } from './parser-store.ts'

/** Says that the protocol came with the text, while what was drawn here is kept. */
export function DrawnBanner({
  state: { drawn, fileDrawn },
}: {
  readonly state: ParserState
}): ReactNode {
  const { t } = useWords()
  if (fileDrawn === undefined || fileDrawn === drawn || drawn.trim() === '') return null
  return (
    <Banner
      icon="hand"
      action={
        <>
          <button
            type="button"
            className="btn sm"
            onClick={() => changeParser({ fileDrawn: undefined })}
          >
            {t('parser.fileDrawn.back')}
          </button>
          <button type="button" className="btn ghost sm" onClick={() => keepDrawing(fileDrawn)}>
            {t('parser.fileDrawn.keep')}
          </button>
        </>
      }
    >
      {t('parser.fileDrawn')}
    </Banner>
  )
}
