import type { Segment } from '@earmark/contracts/transcripts'
import type { SmartSummary } from '@earmark/contracts/summary-content'

/** The sample on the landing page: an episode of one of the sample shows, read aloud from a text of our own. */
export const sample = {
  episodeTitle: 'Why lighthouses kept two logs',
  podcastTitle: 'The Harbour Log',
  audioUrl: '/sample/why-lighthouses-kept-two-logs.mp3',
  durationSeconds: 171.886,
}

/** The audio's own loudness in 72 equal parts, so that it need not be fetched to be drawn. */
export const samplePeaks = [
  0.65, 0.73, 0.5, 0.92, 0.66, 0.72, 0.42, 0.5, 0.56, 0.48, 0.44, 0.36, 0.29, 0.41, 0.25, 0.98, 0.46, 0.65,
  0.57, 0.54, 0.76, 0.68, 0.56, 0.53, 0.36, 0.59, 0.27, 0.31, 0.73, 0.51, 0.82, 0.6, 0.31, 0.33, 0.38, 0.55,
  0.4, 0.49, 0.45, 0.72, 0.75, 0.36, 0.19, 0.81, 0.72, 0.48, 0.44, 0.37, 0.77, 0.41, 0.51, 0.51, 0.28, 0.23,
  0.35, 1.0, 0.54, 0.54, 0.57, 0.22, 0.77, 0.6, 0.45, 0.43, 0.37, 0.58, 0.4, 0.56, 0.49, 0.84, 0.53, 0.17,
]

export const sampleSegments: Segment[] = (
  [
    [0.35, 4.137, 'This is the Harbour Log, and today I want to tell you about two books.'],
    [4.987, 7.33, 'Every lighthouse on this coast kept a log.'],
    [
      7.73,
      12.705,
      'It was a large book with a blue cover, ruled in columns, and it belonged to the harbour board.',
    ],
    [13.105, 17.542, 'The inspector came twice a year, and he read only what was in the blue book.'],
    [17.942, 19.444, 'So the blue book was tidy.'],
    [19.844, 21.403, 'Weather, oil, ships.'],
    [21.803, 23.993, 'Nothing that would have made trouble for anyone.'],
    [24.843, 27.074, 'But every keeper wrote the night down twice.'],
    [27.474, 30.781, 'One book for the harbour, and one for the keeper who came after.'],
    [31.181, 35.235, 'The second book was never inspected, which is why it is the one we trust.'],
    [35.635, 40.824, 'You find the fog there, and the arguments, and once, in a shaking hand, a birth.'],
    [41.224, 43.975, 'I asked the archive why nobody had copied them out.'],
    [44.375, 46.174, 'They said nobody had asked.'],
    [47.024, 50.269, 'Here is an evening in November, as the blue book tells it.'],
    [50.669, 52.525, 'Wind south west, fresh.'],
    [52.925, 54.757, 'Lamp lit at half past four.'],
    [55.157, 56.102, 'Nothing to report.'],
    [56.502, 59.145, 'And here is the same evening in the second book.'],
    [59.545, 61.414, 'The clockwork jammed at two in the morning.'],
    [61.814, 66.039, 'I turned the lens by hand until dawn, and counted aloud to keep the rhythm.'],
    [66.439, 70.428, 'If it sticks again, take off the brass plate and look at the third wheel.'],
    [70.828, 71.567, 'Do not oil it.'],
    [71.967, 73.199, 'Oil is what spoiled it.'],
    [74.049, 76.042, 'Think about what that last line is worth.'],
    [
      76.442,
      81.916,
      "A keeper you will never meet has saved you a night's work, because he wrote down the part that made him look bad.",
    ],
    [82.316, 84.666, 'A record is honest when nobody marks it.'],
    [85.066, 89.485, 'The moment a page is read by the person who pays you, it becomes a performance.'],
    [90.335, 93.063, 'There was a price for keeping only the tidy book.'],
    [93.463, 96.534, 'One station on the north shore had no second log at all.'],
    [
      96.934,
      102.582,
      'In nine years it had five keepers, and each of them jammed the same wheel, and each of them reached for the oil.',
    ],
    [102.982, 105.384, 'The blue book of that station is spotless.'],
    [105.784, 108.665, 'It is also the most expensive book in the archive.'],
    [109.515, 112.191, 'I think most of us still keep only one log.'],
    [112.591, 115.123, 'We write the report, and we leave out the night.'],
    [115.523, 117.891, 'So here are three things to take from the keepers.'],
    [118.741, 120.509, 'First, keep a second book.'],
    [120.909, 122.614, 'It can be a plain text file.'],
    [
      123.014,
      128.361,
      'At the end of the day, write two lines: what went wrong, and what you would tell the next person.',
    ],
    [129.211, 131.033, 'Second, write it for a stranger.'],
    [131.433, 135.386, 'The keepers never said, see above, or, as usual.'],
    [135.786, 138.877, 'They wrote, the third wheel, behind the brass plate.'],
    [139.277, 142.694, 'A note that only you can read is not a note, it is a souvenir.'],
    [143.544, 145.976, 'Third, leave it where the next person will look.'],
    [146.376, 148.943, 'The second book did not travel home in a trunk.'],
    [
      149.343,
      153.899,
      'It hung on a nail beside the lamp, because that is where you stand when the lamp goes out.',
    ],
    [154.749, 155.673, 'And one warning.'],
    [156.073, 158.492, 'Do not let anyone make the second book official.'],
    [158.892, 162.001, 'The week it is inspected, somebody will begin a third.'],
    [162.851, 163.993, 'That is all for tonight.'],
    [164.393, 166.213, 'Wind south west, fresh.'],
    [166.613, 168.492, 'Lamp lit at half past four.'],
    [168.892, 170.434, 'The rest is in the other book.'],
  ] as const
).map(([start_seconds, end_seconds, text]) => ({ start_seconds, end_seconds, text }))

export const sampleSummary: SmartSummary = {
  title: 'Two logs, one light',
  one_sentence_overview:
    'A record is honest when nobody marks it, so keep a second one for whoever comes after you.',
  highlights: [
    {
      point: 'Keepers kept a second, private log.',
      quote: 'One book for the harbour, and one for the keeper who came after.',
    },
    {
      point: 'What was inspected became a performance.',
      quote: 'A record is honest when nobody marks it.',
    },
  ],
  key_takeaways: [
    'Keep a second book.',
    'Write it for a stranger.',
    'Leave it where the next person will look.',
  ],
}
