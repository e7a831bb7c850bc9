import { Outlet, useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { TrustBanner } from '../folders/trust-banner.tsx'
import { ConnectionBanner } from './connection-banner.tsx'
import { Dialogs } from './dialogs.tsx'
import { ExecutionsBanner } from './executions-banner.tsx'
import { PhoneTabs } from './phone-tabs.tsx'
import { ShownRunWatcher } from './shown-run-watcher.ts'
import { SideBar } from './side-bar.tsx'
import { useShellCommands } from './use-shell-commands.ts'
import { useViewTitle } from './use-view-title.ts'

/** What is around every view. */
export function Shell(): ReactNode {
  const { run } = useParams({ strict: false })
  return (
    <Dialogs>
      <ShellCommands />
      {run !== undefined && <ShownRunWatcher run={run} />}
      <div className="app">
        <SideBar />
        <div className="view">
          <div className="banners">
            <ConnectionBanner />
            <ExecutionsBanner />
            <TrustBanner />
          </div>
          <Outlet />
        </div>
        <PhoneTabs />
      </div>
    </Dialogs>
  )
}

/** A component of its own: what it watches changes often, and the views need not be drawn for it. */
function ShellCommands(): null {
  useShellCommands()
  useViewTitle()
  return null
}
