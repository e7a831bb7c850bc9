import type { Todo } from '@toolglot/agent'
import { visibleLine } from '@toolglot/workspace/internal'
import type { Colors } from '../../terminal.ts'

/** The todo list as a checklist. */
export function showTodos(todos: readonly Todo[], colors: Colors): string[] {
  const { dim, green, bold, strikethrough } = colors
  return todos.map(({ status, content, activeForm }) => {
    const text = visibleLine(content)
    switch (status) {
      case 'completed':
        return `${green('✓')} ${dim(text)}`
      case 'in_progress':
        return `${bold('▸')} ${bold(visibleLine(activeForm))}`
      case 'cancelled':
        return `${dim('✗')} ${dim(strikethrough(text))}`
      case 'pending':
        return `${dim('○')} ${text}`
    }
  })
}
