import { expect, it } from 'vitest';
import { isTaken, kindOf, whyRefused } from './image-kind.ts';
import { nameFrom } from './names.ts';

it.each([
  ['\x89PNG\r\n\x1a\n', 'png'],
  ['\xff\xd8\xff\xe0\0\x10JFIF', 'jpeg'],
  ['GIF89a\x01\0', 'gif'],
  ['RIFF\x10\0\0\0WEBPVP8 ', 'webp'],
  ['RIFF\x10\0\0\0WAVEfmt ', null],
  ['\0\0\0\x1cftypavif', 'AVIF'],
  ['\0\0\0\x1cftypheic', 'HEIC'],
  ['%PDF-1.4\xff\xd8\xff', 'PDF'],
  ['\ufeff <svg>'.replace('\ufeff', '\xef\xbb\xbf'), 'SVG'],
  ['<?xml version="1.0"?><!DOCTYPE svg PUBLIC ""><SVG >', 'SVG'],
  ['<html>', 'HTML'],
  ['', null],
])('%j begins a %s', (start, kind) => {
  expect(kindOf(Buffer.from(start, 'latin1'))).toBe(kind);
});

it('says what to do with what is refused', () => {
  const svg = kindOf(Buffer.from('<svg>'));
  expect(isTaken(svg) ? '' : whyRefused(svg)).toContain('Save it as PNG.');
  expect(whyRefused(null)).toBe('This file is not an image. Choose a PNG, JPEG, GIF or WebP image.');
  expect(whyRefused('icon')).toContain('is an icon file');
});

it.each([
  ['Summer sale.PNG', 'Summer sale'],
  ['.png', 'Image'],
  ['a\u202egnp.exe.jpeg', 'a gnp.exe'],
  ['x'.repeat(200), 'x'.repeat(120)],
  ['   \u0007 ', 'Image'],
])('names the image of the file %j %j', (file, name) => {
  expect(nameFrom(file)).toBe(name);
});
