import { oneSmallWords } from './one-small-word.ts'
import type { DurationForm, Episode, Show } from './show.ts'

type EpisodeSketch = Pick<Episode, 'slug' | 'title' | 'descriptionHtml'> &
  Partial<Pick<Episode, 'audio' | 'feedDuration'>>

type ShowSketch = Omit<Show, 'episodes' | 'itunesFeedEndsInSlash' | 'countsListeners'> &
  Partial<Pick<Show, 'itunesFeedEndsInSlash' | 'countsListeners'>> & {
    /** ISO 8601 of the newest episode. */
    newestAt: string
    everyDays: number
    durationForm: DurationForm
    episodes: EpisodeSketch[]
  }

const dayMilliseconds = 86_400_000

function show({ newestAt, everyDays, durationForm, episodes, ...rest }: ShowSketch): Show {
  return {
    itunesFeedEndsInSlash: false,
    countsListeners: false,
    ...rest,
    episodes: episodes.map((episode, index) => ({
      audio: { kind: 'clip', clip: `${rest.slug}/${episode.slug}` },
      feedDuration: { form: durationForm },
      ...episode,
      publishedAt: new Date(Date.parse(newestAt) - index * everyDays * dayMilliseconds),
    })),
  }
}

function episode(slug: string, title: string, descriptionHtml: string): EpisodeSketch {
  return { slug, title, descriptionHtml }
}

/** Reads well beside the pictures, and holds one of everything that real feeds do. */
export const sampleShows: Show[] = [
  show({
    slug: 'harbour-log',
    title: 'The Harbour Log',
    author: 'Ines Calder',
    ownerName: 'North Shore Radio',
    description:
      'Stories from the coast, told by the people who kept the lights on. New every second Tuesday.',
    categories: ['History', 'Society & Culture'],
    colour: '#26433a',
    initial: 'H',
    podcastIndexId: 920001,
    itunesId: 1700000001,
    newestAt: '2026-09-15T05:00:00Z',
    everyDays: 14,
    durationForm: 'hh:mm:ss',
    episodes: [
      episode(
        'why-lighthouses-kept-two-logs',
        'Why lighthouses kept two logs',
        '<p>The blue book was for the inspector. The other one hung on a nail beside the lamp, and told the truth.</p><p>What a keeper wrote down for the keeper who came after, and three habits to take from it.</p>',
      ),
      episode(
        'the-fog-bell-of-st-anne',
        'The fog bell of Saint Anne',
        '<p>A boy, a bell, and the longest fog anyone wrote down.</p>',
      ),
      episode(
        'a-pilot-goes-out-backwards',
        'A pilot goes out backwards',
        '<p>How to climb a ship that is moving, in the dark, with one hand.</p>',
      ),
      episode(
        'the-last-letter-on-the-mail-boat',
        'The last letter on the mail boat',
        '<p>One island, one house, one envelope a week.</p>',
      ),
      episode(
        'what-the-dredger-brought-up',
        'What the dredger brought up',
        '<p>Mud, mostly. And eleven thousand clay pipes.</p>',
      ),
    ],
  }),
  show({
    slug: 'slow-cities',
    title: 'Slow Cities',
    author: 'Tomas Brandt & Lio Okafor',
    ownerName: 'Lio Okafor',
    description:
      'Streets, squares and the people who use them. A show about towns that give you a reason to stay.',
    categories: ['Society & Culture', 'Places & Travel'],
    colour: '#7b3a2e',
    initial: 'S',
    podcastIndexId: 920002,
    itunesId: 1700000002,
    itunesFeedEndsInSlash: true,
    newestAt: '2026-09-10T04:30:00Z',
    everyDays: 7,
    durationForm: 'mm:ss',
    episodes: [
      episode(
        'the-bench-test',
        'The bench test',
        '<p>Walk down any street and ask: could I stop here without buying something?</p><p>What William Whyte saw in his films of New York, and three things to do this week.</p>',
      ),
      episode(
        'forty-trees-on-one-street',
        'Forty trees on one street',
        '<p>We measured the pavement on a hot afternoon.</p>',
      ),
      episode(
        'the-market-that-moves-on-wheels',
        'The market that moves on wheels',
        '<p>No roof, no sign, and everybody knows your name.</p>',
      ),
      episode(
        'how-long-is-a-green-man',
        'How long is a green man?',
        '<p>Six seconds, fourteen metres, and a number in a cabinet.</p>',
      ),
    ],
  }),
  show({
    slug: 'night-lab',
    title: 'Night Lab',
    author: 'Dr. Mara Voss',
    ownerName: 'Night Lab Productions',
    description: 'Small experiments to do after dark, and the long questions behind them.',
    categories: ['Science', 'Education'],
    colour: '#303f66',
    initial: 'N',
    podcastIndexId: 920003,
    itunesId: 1700000003,
    newestAt: '2026-09-04T20:00:00Z',
    everyDays: 30,
    durationForm: 'seconds',
    episodes: [
      episode(
        'how-to-see-in-the-dark',
        'How to see in the dark',
        '<p>Your eye needs half an hour to do its best work. Most of us have never let it.</p><p>An experiment in three steps, for the next clear night.</p>',
      ),
      episode('why-the-sky-is-dark', 'Why the sky is dark', '<p>The oldest puzzle that you can see.</p>'),
      episode(
        'the-temperature-of-a-cricket',
        'The temperature of a cricket',
        '<p>A thermometer that sings, with instructions.</p>',
      ),
      episode(
        'a-clock-made-of-flowers',
        'A clock made of flowers',
        '<p>Linnaeus had a plan for a garden.</p>',
      ),
    ],
  }),
  show({
    slug: 'port-authority',
    title: 'Port Authority',
    author: 'Harbour Street Audio',
    ownerName: 'Harbour Street Audio',
    description: 'How the things you own crossed an ocean, one container at a time.',
    categories: ['Business', 'History'],
    colour: '#3f5b80',
    initial: 'P',
    podcastIndexId: 920004,
    itunesId: 1700000004,
    countsListeners: true,
    newestAt: '2026-08-31T09:00:00Z',
    everyDays: 21,
    durationForm: 'mm:ss',
    episodes: [
      episode(
        'the-box-with-no-inventor',
        'The box with no inventor',
        '<p>In 1956 a crane in Newark lifted 58 metal boxes on to an old tanker. The box was not the invention.</p><p>Three lessons from a steel corner.</p>',
      ),
      episode('the-cheapest-mile', 'The cheapest mile', '<p>Why the sea costs less than the bus.</p>'),
      episode('who-owns-the-empty-box', 'Who owns the empty box?', '<p>The trade calls it shipping air.</p>'),
      episode(
        'the-harbour-that-never-sleeps',
        'The harbour that never sleeps',
        '<p>Three in the morning, forty metres up.</p>',
      ),
    ],
  }),
  show({
    slug: 'quiet-water',
    title: 'Quiet Water',
    author: 'Harbour Street Audio',
    ownerName: 'Harbour Street Audio',
    description: 'Long conversations recorded on small boats.',
    categories: ['Society & Culture', 'Personal Journals'],
    colour: '#6b4e71',
    initial: 'Q',
    podcastIndexId: 920005,
    itunesId: null,
    newestAt: '2026-08-22T16:15:00Z',
    everyDays: 28,
    durationForm: 'hh:mm:ss',
    episodes: [
      episode(
        'rowing-home-in-the-rain',
        'Rowing home in the rain',
        '<p>The only hour that the ferryman had.</p>',
      ),
      episode('the-lake-that-turns-over', 'The lake that turns over', '<p>The fish know the day.</p>'),
      episode(
        'a-conversation-with-the-lock-keeper',
        'A conversation with the lock keeper',
        '<p>Twenty-six years, one gate, eleven minutes.</p>',
      ),
      episode('night-heron', 'Night heron', '<p>The best thing that we have ever recorded.</p>'),
    ],
  }),
  show({
    slug: 'kitchen-physics',
    title: 'Kitchen Physics',
    author: 'Pia Lindqvist',
    ownerName: 'Pia Lindqvist',
    description: 'What happens in the pan, and why the order is the recipe.',
    categories: ['Arts', 'Food', 'Science'],
    colour: '#8a5a1e',
    initial: 'K',
    podcastIndexId: null,
    itunesId: 1700000006,
    newestAt: '2026-07-19T11:00:00Z',
    everyDays: 10,
    durationForm: 'seconds',
    episodes: [
      episode(
        'why-the-second-pancake-is-better',
        'Why the second pancake is better',
        '<p>The first one is a measuring instrument.</p>',
      ),
      episode('salt-before-or-after', 'Salt: before or after?', '<p>One onion, two answers.</p>'),
      episode('the-kettle-that-sings', 'The kettle that sings', '<p>Listen for the end of it.</p>'),
    ],
  }),
  show({
    slug: 'one-small-word',
    title: 'One Small Word',
    author: 'Edda Marsh',
    ownerName: 'Edda Marsh',
    description: 'One word a day, where it came from, and what it was before it got here.',
    categories: ['Education', 'Language Learning'],
    colour: '#4a6a3c',
    initial: 'O',
    podcastIndexId: 920007,
    itunesId: 1700000007,
    newestAt: '2026-09-17T06:00:00Z',
    everyDays: 1,
    durationForm: 'seconds',
    episodes: oneSmallWords.map(([slug, descriptionHtml]) => ({
      slug,
      title: slug.charAt(0).toUpperCase() + slug.slice(1),
      descriptionHtml,
    })),
  }),
  show({
    slug: 'rough-tapes',
    title: 'Rough Tapes',
    author: 'Sample Recordings',
    ownerName: 'North Shore Radio',
    description:
      'Recordings that went wrong somewhere between the microphone and you. Each episode has one thing wrong with it, and its description says which.',
    categories: ['Arts', 'Documentary'],
    colour: '#5c5650',
    initial: 'R',
    podcastIndexId: 920008,
    itunesId: 1700000008,
    newestAt: '2026-09-01T12:00:00Z',
    everyDays: 5,
    durationForm: 'mm:ss',
    episodes: [
      {
        slug: 'a-half-hour-with-the-tide-tables',
        title: 'A half hour with the tide tables',
        descriptionHtml:
          "<p>Sample: the feed's length is wrong. It says 30 minutes; the recording has about three.</p>",
        feedDuration: { says: '30:00' },
      },
      {
        slug: 'one-minute-about-knots',
        title: 'One minute about knots',
        descriptionHtml:
          "<p>Sample: the feed's length is wrong. It says one minute; the recording has about three.</p>",
        feedDuration: { says: '60' },
      },
      {
        slug: 'nobody-timed-this-one',
        title: 'Nobody timed this one',
        descriptionHtml: '<p>Sample: the feed gives no length at all. The recording itself is fine.</p>',
        feedDuration: null,
      },
      {
        slug: 'the-tape-that-went-missing',
        title: 'The tape that went missing',
        descriptionHtml: '<p>Sample: the audio link is dead and answers 404.</p>',
        feedDuration: { says: '12:40' },
        audio: { kind: 'missing' },
      },
      {
        slug: 'a-page-in-the-tape-box',
        title: 'A page in the tape box',
        descriptionHtml: '<p>Sample: the file is no audio. It is a web page that calls itself an MP3.</p>',
        feedDuration: { says: '8:05' },
        audio: { kind: 'webPage' },
      },
      {
        slug: 'left-too-near-the-magnet',
        title: 'Left too near the magnet',
        descriptionHtml: '<p>Sample: the MP3 is damaged and nothing in it can be decoded.</p>',
        audio: { kind: 'corrupt', clip: 'harbour-log/what-the-dredger-brought-up' },
      },
      {
        slug: 'the-line-went-dead',
        title: 'The line went dead',
        descriptionHtml: '<p>Sample: the download breaks off half way, every time.</p>',
        audio: { kind: 'breaksOff', clip: 'quiet-water/night-heron' },
      },
    ],
  }),
]
