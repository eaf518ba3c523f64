import { Button, Loader, TextInput } from '@mantine/core'
import { IconSearch } from '@tabler/icons-react'
import type { SubmitEvent } from 'react'
import classes from './PodcastSearchForm.module.css'

type PodcastSearchFormProps = {
  value: string
  isSearching: boolean
  onChange: (value: string) => void
  onSearch: () => void
}

export function PodcastSearchForm({ value, isSearching, onChange, onSearch }: PodcastSearchFormProps) {
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    onSearch()
  }
  return (
    <form role="search" className={classes.form} onSubmit={submit} aria-busy={isSearching}>
      <TextInput
        className={classes.field ?? ''}
        type="search"
        name="term"
        aria-label="Search podcasts"
        placeholder="A show, a host, a topic"
        autoComplete="off"
        maxLength={200}
        leftSection={<IconSearch size={20} stroke={1.75} aria-hidden />}
        leftSectionWidth={48}
        rightSection={isSearching && <Loader size={18} color="var(--em-pine)" aria-hidden />}
        value={value}
        onChange={(event) => onChange(event.currentTarget.value)}
      />
      <Button type="submit" h={52}>
        Search
      </Button>
    </form>
  )
}
