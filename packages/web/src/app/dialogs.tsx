import { createContext, lazy, Suspense, use, useState } from 'react'
import type { ReactNode } from 'react'

/** A dialog over the page. */
export type ShellDialog =
  | { readonly type: 'palette' | 'keys' | 'executions' }
  | { readonly type: 'rename' | 'delete'; readonly run: string; readonly title: string }
  | { readonly type: 'trust'; readonly folder: string; readonly later?: () => void }

/** The props of a dialog about one run. */
export interface RunDialogProps {
  readonly run: string
  readonly title: string
  readonly close: () => void
}

type Open = (dialog: ShellDialog | undefined) => void
const Context = createContext<Open>(() => {})

/** Returns a function that opens a dialog, or closes the open one. */
export function useDialog(): Open {
  return use(Context)
}

// Loaded only when first opened.
const Palette = lazy(() => import('./palette.tsx'))
const KeyList = lazy(() => import('./key-list.tsx'))
const ExecutionsDialog = lazy(() => import('./executions-dialog.tsx'))
const RenameRun = lazy(() => import('./rename-run.tsx'))
const DeleteRun = lazy(() => import('./delete-run.tsx'))
const TrustDialog = lazy(async () => ({
  default: (await import('../folders/trust-dialog.tsx')).TrustDialog,
}))

/** Provides dialogs to its children, one at a time. */
export function Dialogs({ children }: { readonly children: ReactNode }): ReactNode {
  const [dialog, setDialog] = useState<ShellDialog>()
  const close = (): void => setDialog(undefined)
  return (
    <Context value={setDialog}>
      {children}
      <Suspense>{dialog && <Opened {...{ dialog, close }} />}</Suspense>
    </Context>
  )
}

function Opened({
  dialog,
  close,
}: {
  readonly dialog: ShellDialog
  readonly close: () => void
}): ReactNode {
  switch (dialog.type) {
    case 'palette':
      return <Palette close={close} />
    case 'keys':
      return <KeyList close={close} />
    case 'executions':
      return <ExecutionsDialog close={close} />
    case 'rename':
      return <RenameRun {...{ ...dialog, close }} />
    case 'delete':
      return <DeleteRun {...{ ...dialog, close }} />
    case 'trust':
      return (
        <TrustDialog
          open
          folder={dialog.folder}
          onOpenChange={close}
          {...(dialog.later && { onLater: dialog.later })}
        />
      )
  }
}
