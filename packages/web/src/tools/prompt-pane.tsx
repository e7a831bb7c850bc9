import type { ReactNode } from 'react'
import { useWords } from '../words/words.ts'
import { type PromptChoice, PromptPreview } from './prompt-preview.tsx'

/** Shown next to the list while no tool is selected: what a model reads about all of them. */
export function PromptPane(prompt: PromptChoice): ReactNode {
  const { t } = useWords()
  return (
    <div className="pane tools-detail">
      <div className="pad">
        <p className="dim">{t('tools.choose')}</p>
        <PromptPreview prompt={prompt} />
      </div>
    </div>
  )
}
