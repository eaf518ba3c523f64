import { UnstyledButton } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import classes from './BackLink.module.css'

type BackLinkProps = { label: string; onBack: () => void }

export function BackLink({ label, onBack }: BackLinkProps) {
  return (
    <UnstyledButton className={classes.back} onClick={onBack}>
      <IconArrowLeft size={20} stroke={1.75} aria-hidden />
      {label}
    </UnstyledButton>
  )
}
