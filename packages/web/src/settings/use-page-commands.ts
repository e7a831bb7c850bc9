import { useNavigate } from '@tanstack/react-router'
import { useCommands } from '../app/commands.ts'
import { useWords } from '../words/words.ts'
import { PAGES } from './pages.ts'

/** Offers the other pages of the settings in the palette. */
export function usePageCommands(): void {
  const { t } = useWords()
  const navigate = useNavigate()
  useCommands(
    PAGES.map(({ id, icon, label }) => ({
      id: `settings ${id}`,
      label: { text: `${t('settings.title')}: ${t(label)}` },
      group: 'here',
      icon,
      run: () =>
        void navigate({
          to: '/settings/{-$page}',
          params: { page: id },
          search: (search) => search,
        }),
    })),
  )
}
