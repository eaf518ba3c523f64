import { ActionIcon, Button, Slider } from '@mantine/core'
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { formatTimestamp } from '../../ui/format.ts'
import classes from './Player.module.css'
import { Waveform } from './Waveform.tsx'
import type { AudioControls, AudioState } from './use-audio.ts'

export type PlayerProps = {
  state: AudioState
  controls: AudioControls
  /** From the transcript, until the audio itself says it. */
  knownDurationSeconds: number | null
  /** 0 to 1 each; undefined draws a plain slider. */
  peaks: number[] | undefined
}

/** Fixed to the foot of the screen. */
export function Player({ state, controls, knownDurationSeconds, peaks }: PlayerProps) {
  const duration = state.durationSeconds ?? knownDurationSeconds ?? 0
  const Icon = state.isPlaying ? IconPlayerPauseFilled : IconPlayerPlayFilled
  if (state.hasFailed) {
    return (
      <div className={classes.player} role="region" aria-label="Player">
        <p className={classes.failed}>
          The audio can no longer be played from its source. The transcript stays yours.
        </p>
      </div>
    )
  }
  return (
    <div className={classes.player} role="region" aria-label="Player">
      <div className={classes.inner}>
        <ActionIcon
          variant="filled"
          size={44}
          radius={22}
          aria-label={state.isPlaying ? 'Pause' : 'Play'}
          onClick={controls.toggle}
        >
          <Icon size={20} aria-hidden />
        </ActionIcon>
        <span className={classes.time}>{formatTimestamp(state.currentSeconds)}</span>
        <div className={classes.scrubber}>
          {peaks !== undefined && (
            <Waveform peaks={peaks} share={duration === 0 ? 0 : state.currentSeconds / duration} />
          )}
          <Slider
            classNames={{ root: classes.slider ?? '', trackContainer: classes.reach ?? '' }}
            data-over-waveform={peaks !== undefined}
            thumbLabel="Position in the audio"
            thumbProps={{
              'aria-valuetext': `${formatTimestamp(state.currentSeconds)} of ${formatTimestamp(duration)}`,
            }}
            label={formatTimestamp}
            color="var(--em-pine)"
            size={4}
            step={1}
            min={0}
            max={Math.max(1, duration)}
            value={state.currentSeconds}
            onChange={controls.seek}
          />
        </div>
        <span className={classes.time}>{formatTimestamp(duration)}</span>
        <Button
          className={classes.rate ?? ''}
          variant="subtle"
          px={8}
          aria-label={`Speed ${state.rate}×, change`}
          onClick={controls.nextRate}
        >
          {state.rate}×
        </Button>
      </div>
    </div>
  )
}
