import { DropdownMenu } from 'radix-ui'
import type { ReactNode } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { FLOATING } from './floating.ts'

/** An item of a menu. */
export interface MenuItem {
  readonly label: string
  readonly icon?: IconName
  /** True if the item is selected, in a menu with a selection. */
  readonly isChosen?: boolean
  /** True if the action is destructive. */
  readonly isDanger?: boolean
  readonly run: () => void
}

/** A menu, opened by a button. */
export function Menu({
  trigger,
  label,
  items,
  open,
  onOpenChange,
  side = 'bottom',
  align = 'start',
}: {
  /** A button. */
  readonly trigger: ReactNode
  readonly label: string
  readonly items: readonly MenuItem[]
  readonly open?: boolean
  readonly onOpenChange?: (open: boolean) => void
  readonly side?: 'top' | 'bottom'
  readonly align?: 'start' | 'end'
}): ReactNode {
  return (
    <DropdownMenu.Root
      // The page below must still react to a click.
      modal={false}
      {...(open !== undefined && { open })}
      {...(onOpenChange && { onOpenChange })}
    >
      <DropdownMenu.Trigger asChild>{trigger}</DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          className={`${FLOATING} min-w-[150px] p-[5px]`}
          {...{ side, align }}
          sideOffset={4}
          collisionPadding={8}
          loop
          aria-label={label}
        >
          {items.map(({ label: text, icon, isChosen, isDanger, run }) => {
            const content = (
              <>
                {icon && <Icon name={icon} />}
                <span className="min-w-0 flex-1">{text}</span>
                {isChosen && <Icon name="check" />}
              </>
            )
            const className = `flex min-h-[30px] cursor-pointer items-center gap-[9px] rounded-md px-[9px] py-1 outline-none data-highlighted:bg-hover data-highlighted:shadow-none phone:min-h-10 ${isDanger ? 'text-no' : ''}`
            return isChosen === undefined ? (
              <DropdownMenu.Item key={text} className={className} onSelect={run}>
                {content}
              </DropdownMenu.Item>
            ) : (
              <DropdownMenu.CheckboxItem
                key={text}
                className={className}
                checked={isChosen}
                onSelect={run}
              >
                {content}
              </DropdownMenu.CheckboxItem>
            )
          })}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
