import { useToast } from '../ui/toasts.tsx'
import { useWords } from '../words/words.ts'

/**
 * Returns a function that warns about files of a sent message that were not attached. Problems with
 * settings are shown in the settings.
 */
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
