import { SegmentedControl, useMantineColorScheme } from '@mantine/core'
import classes from './Header.module.css'

const schemes = [
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
  { value: 'auto', label: 'System' },
] as const

export function ColorSchemeToggle() {
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  return (
    <SegmentedControl
      fullWidth
      className={classes.schemes ?? ''}
      aria-label="Colour scheme"
      data={[...schemes]}
      value={colorScheme}
      onChange={setColorScheme}
    />
  )
}
