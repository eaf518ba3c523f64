import type { Session } from './session.ts'
import type { Vendors } from './vendors.ts'

export type Places = Vendors & {
  publicUrl: string
  temporalUiUrl: string | undefined
  databaseIsOurs: boolean
}

/** The last thing that a start says: where everything is, and what is pretended. */
export const sayWhereToLook = ({ settings, installation, say }: Session, places: Places) => {
  installation.write('running', { url: places.publicUrl })
  const lines = [
    ['The app', places.publicUrl],
    ['API reference', `${places.publicUrl}/v1/docs`],
    ['Temporal UI', places.temporalUiUrl ?? 'your own server’s'],
    [
      'Data',
      places.databaseIsOurs
        ? installation.folder
        : `${installation.folder}, and the database of DATABASE_URL`,
    ],
    ['Logs', `${installation.folder}/logs`],
    ['Podcasts', directories(settings.PODCAST_DIRECTORIES, settings.sandbox.directory)],
    ['Speech to text', transcription(places)],
    [
      'Summaries',
      settings.sandbox.summaries
        ? 'the sandbox, which quotes and ranks sentences'
        : 'the server of your settings',
    ],
    [
      'Cards',
      settings.sandbox.cards ? 'the sandbox: no money moves; pay with 4242 4242 4242 4242' : 'Stripe',
    ],
    ...(places.sandbox === undefined
      ? []
      : [
          ...(settings.sandbox.mail ? [['Mailbox', `${places.sandbox.origin}/mail`]] : []),
          ['Sandbox', places.sandbox.origin],
        ]),
  ]
  say(
    `\nEarmark is ready.\n${lines.map(([name = '', value = '']) => `  ${name.padEnd(16)}${value}`).join('\n')}`,
  )
  say('\nCheck your settings against the vendors: npm run doctor')
  say('Give an account credits: npm run credits -- grant <email> <credits> --reason <text>')
  say('Ctrl-C stops everything.')
}

const directories = (names: string, usesSandbox: boolean) =>
  [
    names.includes('podcastindex') && (usesSandbox ? 'the sandbox’s sample shows' : 'Podcast Index'),
    names.includes('itunes') && 'iTunes Search',
  ]
    .filter(Boolean)
    .join(' and ')

const transcription = ({ transcription: local, isTranscriptionPretended }: Places) => {
  if (isTranscriptionPretended)
    return 'the sandbox, which knows its sample shows alone (see above how to add a model)'
  return local ? `Whisper on this machine, model '${local.model}'` : 'the server of your settings'
}
