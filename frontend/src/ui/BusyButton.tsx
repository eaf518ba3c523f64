import { Button, Loader } from '@mantine/core'
import type { ReactNode } from 'react'

type BusyButtonProps = {
  isBusy: boolean
  onClick: () => void
  icon?: ReactNode
  /** Pixels. */
  height?: number
  children: ReactNode
}

/** While its work goes on it does nothing, but is not disabled: it would lose the focus. */
export function BusyButton({ isBusy, onClick, icon, height, children }: BusyButtonProps) {
  return (
    <Button
      variant="default"
      h={height}
      leftSection={isBusy ? <Loader size={18} color="var(--em-pine)" aria-hidden /> : icon}
      aria-busy={isBusy}
      onClick={() => {
        if (!isBusy) onClick()
      }}
    >
      {children}
    </Button>
  )
}
