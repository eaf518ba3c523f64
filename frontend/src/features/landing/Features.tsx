import {
  IconCoin,
  IconFileDownload,
  IconFileText,
  IconHeart,
  IconSearch,
  IconSparkles,
} from '@tabler/icons-react'
import classes from './Features.module.css'

const features = [
  {
    icon: IconSearch,
    name: 'Podcast search',
    words: 'Shows from the open podcast directories, with their episodes and their back catalogue.',
  },
  {
    icon: IconFileText,
    name: 'AI transcription',
    words: 'Every line with its time. You pay for the minutes there really are.',
  },
  {
    icon: IconSparkles,
    name: 'Smart summaries',
    words: 'Highlights, an action plan, or the questions worth asking.',
  },
  {
    icon: IconHeart,
    name: 'Favorites and history',
    words: 'The shows and episodes you keep, and everything you transcribed.',
  },
  {
    icon: IconFileDownload,
    name: 'Export and share',
    words: 'Take a transcript along as text or as JSON.',
  },
  {
    icon: IconCoin,
    name: 'Pay as you go',
    words: 'No subscription. A failed job gives its credits back.',
  },
]

const steps = [
  { name: 'Search', words: 'A show, a host, a topic.' },
  { name: 'Select episode', words: 'See its price before you pay.' },
  { name: 'Generate', words: 'Watch the transcript arrive.' },
  { name: 'Summarize', words: 'Three readings, every quote checked.' },
]

export function Features() {
  return (
    <section className={classes.section} aria-labelledby="features">
      <h2 id="features" className={classes.title}>
        Everything between play and print
      </h2>
      <ul className={classes.cards}>
        {features.map(({ icon: Icon, name, words }) => (
          <li key={name} className={classes.card}>
            <Icon size={20} stroke={1.75} aria-hidden />
            <h3 className={classes.name}>{name}</h3>
            <p className={classes.words}>{words}</p>
          </li>
        ))}
      </ul>
    </section>
  )
}

export function HowItWorks() {
  return (
    <section className={classes.section} aria-labelledby="how-it-works">
      <h2 id="how-it-works" className={classes.title}>
        How it works
      </h2>
      <ol className={classes.steps}>
        {steps.map(({ name, words }, index) => (
          <li key={name}>
            <span className={classes.number} aria-hidden>
              {index + 1}
            </span>
            <h3 className={classes.name}>{name}</h3>
            <p className={classes.words}>{words}</p>
          </li>
        ))}
      </ol>
    </section>
  )
}
