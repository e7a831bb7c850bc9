import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { FolderButton } from '../folders/folder-button.tsx'
import { useFolder } from '../folders/use-folder.ts'
import { useWords } from '../words/words.ts'
import { Logo } from './logo.tsx'
import { RecentRuns } from './recent-runs.tsx'
import { SideFooter } from './side-footer.tsx'
import { ViewLinks } from './view-links.tsx'

/** The folder, the views and the recent runs. */
export function SideBar(): ReactNode {
  const { t } = useWords()
  const { search } = useFolder()
  return (
    <nav className="side" aria-label={t('shell.main')}>
      <Link className="brand" to="/chat" search={search} aria-label="Toolglot">
        <Logo />
        Toolglot
      </Link>
      <FolderButton />
      <div className="nav">
        <ViewLinks />
      </div>
      <RecentRuns />
      <SideFooter />
    </nav>
  )
}
