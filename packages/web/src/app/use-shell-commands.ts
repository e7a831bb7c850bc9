import { useNavigate, useParams } from '@tanstack/react-router'
import { requestFocus } from '../approvals/focus-next.ts'
import { useFolder } from '../folders/use-folder.ts'
import { LANGUAGES, type Language, useWords } from '../words/words.ts'
import { type Command, useCommands } from './commands.ts'
import { useDialog } from './dialogs.tsx'
import { logOut } from './login.ts'
import { runName, runTitle, useRecentRuns } from './use-runs.ts'
import { setTheme, useDark } from './theme.ts'
import { useApi } from './use-api.ts'
import { VIEWS } from './views.ts'
import type { PendingRequest } from '@toolglot/agent/journal'
import { usePending } from '@toolglot/react'
import { isExecution } from '../approvals/pending-part.ts'

/** Offers the commands that are available in every view. */
export function useShellCommands(): void {
  useCommands([
    ...useReviewCommands(),
    ...useRunCommands(),
    ...useGoCommands(),
    ...useChoiceCommands(),
  ])
}

/** Commands for pending requests of other runs; the view of a run offers its own. */
function useReviewCommands(): readonly Command[] {
  const { t } = useWords()
  const navigate = useNavigate()
  const { run: shown } = useParams({ strict: false })
  return useElsewhere(shown).map((request) => ({
    id: `review ${request.run} ${request.key}`,
    label: {
      text: t('shell.review.what', { what: `${request.tool} ${summaryOf(request)}`.trim() }),
    },
    group: 'waiting',
    icon: request.type === 'question' ? 'q' : 'hand',
    run: () => {
      requestFocus(request.call)
      void navigate({ to: '/chats/$run', params: { run: request.run } })
    },
  }))
}

function useRunCommands(): readonly Command[] {
  const { t } = useWords()
  const navigate = useNavigate()
  const openDialog = useDialog()
  const { run: shown } = useParams({ strict: false })
  const runs = useRecentRuns() ?? []
  const summary = useApi(
    'GET /api/runs/:run',
    { parameters: { run: shown ?? '' } },
    { enabled: shown !== undefined },
  ).data?.summary
  const ofShown =
    shown === undefined || !summary
      ? []
      : ([
          ['rename', 'shell.run.rename', 'edit'],
          ['delete', 'shell.run.delete', 'trash'],
        ] as const)
  return [
    ...ofShown.map(([type, label, icon]): Command => ({
      id: `run ${type}`,
      label,
      group: 'here',
      icon,
      run: () =>
        openDialog({
          type,
          run: shown!,
          title: type === 'rename' ? runName(summary!) : runTitle(summary!, t),
        }),
    })),
    ...runs
      .filter(({ run }) => run !== shown)
      .map((each): Command => ({
        id: each.run,
        label: { text: runTitle(each, t) },
        group: 'runs',
        icon: 'clock',
        run: () => void navigate({ to: '/chats/$run', params: { run: each.run } }),
      })),
  ]
}

function useGoCommands(): readonly Command[] {
  const navigate = useNavigate()
  const openDialog = useDialog()
  const { search } = useFolder()
  return [
    {
      id: 'new',
      label: 'shell.newChat',
      group: 'go',
      icon: 'plus',
      keys: 'mod+j',
      run: () => void navigate({ to: '/chat', search }).then(() => setTimeout(focusFind)),
    },
    ...VIEWS.map(({ to, label, icon, keys }): Command => ({
      id: `go ${to}`,
      label,
      group: 'go',
      icon,
      keys,
      run: () => void navigate({ to, search }),
    })),
    {
      id: 'palette',
      label: 'shell.palette',
      group: 'go',
      icon: 'search',
      keys: 'mod+k',
      run: () => openDialog({ type: 'palette' }),
    },
    {
      id: 'find',
      label: 'shell.focus',
      group: 'here',
      icon: 'search',
      keys: '/',
      run: focusFind,
    },
    {
      id: 'keys',
      label: 'shell.keys',
      group: 'go',
      icon: 'q',
      keys: '?',
      run: () => openDialog({ type: 'keys' }),
    },
  ]
}

function useChoiceCommands(): readonly Command[] {
  const { t, language, setLanguage } = useWords()
  const isDark = useDark()
  return [
    {
      id: 'theme',
      label: isDark ? 'shell.theme.light' : 'shell.theme.dark',
      group: 'go',
      icon: isDark ? 'sun' : 'moon',
      run: () => setTheme(isDark ? 'light' : 'dark'),
    },
    {
      id: 'theme system',
      label: 'shell.theme.system',
      group: 'go',
      icon: 'sun',
      run: () => setTheme('system'),
    },
    ...(Object.keys(LANGUAGES) as Language[])
      .filter((each) => each !== language)
      .map((each): Command => ({
        id: `language ${each}`,
        label: { text: t('shell.language.switch', { language: LANGUAGES[each] }) },
        group: 'go',
        icon: 'globe',
        run: () => setLanguage(each),
      })),
    {
      id: 'log out',
      label: 'shell.logOut',
      group: 'go',
      icon: 'export',
      run: () => void logOut(),
    },
  ]
}

/** Focuses the search field of the view, or else the message box. */
function focusFind(): void {
  const field =
    document.querySelector<HTMLElement>('main [data-find] input, main input[data-find]') ??
    document.querySelector<HTMLElement>('main [data-composer] textarea')
  field?.focus()
}

/** Pending requests of other runs than this one; of all runs if undefined. */
function useElsewhere(run: string | undefined): readonly PendingRequest[] {
  return usePending().pending.filter((request) => request.run !== run && !isExecution(request))
}

/** A one-line summary of a pending request. */
function summaryOf(request: PendingRequest): string {
  const text =
    request.type === 'question'
      ? (request.questions[0]?.question ?? '')
      : (request.parts.find(({ verdict }) => verdict === 'ask')?.what ?? '')
  return text === request.tool ? '' : text.slice(0, 200)
}
