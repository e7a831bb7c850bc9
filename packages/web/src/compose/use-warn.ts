import { useToast } from '../ui/toasts.tsx'
import { useWords } from '../words/words.ts'

/** Says which files of a message that was sent were not attached. Problems of settings are shown with the settings. */
export function useWarn(): (warnings: readonly string[]) => void {
  const show = useToast()
  const { t } = useWords()
  return (warnings) => {
    const files = warnings.filter((each) => each.startsWith('@'))
    if (files.length === 0) return
    const title = t('compose.warnings', { count: files.length })
    show({ title, text: files.join('\n'), kind: 'ask', duration: 20_000 })
  }
}
