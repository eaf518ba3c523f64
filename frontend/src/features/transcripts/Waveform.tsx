import classes from './Waveform.module.css'

/** `peaks` are 0 to 1 each; `share` of them, 0 to 1, was played. */
export function Waveform({ peaks, share }: { peaks: number[]; share: number }) {
  const width = 4
  return (
    <svg
      className={classes.waveform}
      viewBox={`0 0 ${peaks.length * width} 40`}
      preserveAspectRatio="none"
      aria-hidden
    >
      {peaks.map((peak, index) => {
        const height = Math.max(3, peak * 38)
        return (
          <rect
            key={index}
            data-played={index / peaks.length < share}
            x={index * width + 0.6}
            y={(40 - height) / 2}
            width={width - 1.4}
            height={height}
            rx={1}
          />
        )
      })}
    </svg>
  )
}
