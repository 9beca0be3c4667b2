/* Draws digits that look handwritten, for digits_train.c and digits.c: a 5 x 7 font in 12 x 12 pixels from 0 to 127, with
   different sizes, positions and slants, strokes that fade or are missing, and noise. Computed in integers, so that every
   machine draws equal digits. */
#ifndef DIGITS_DRAW_H
#define DIGITS_DRAW_H
#include <stdint.h>
enum { DIGITS_SIDE = 12, DIGITS_PIXELS = DIGITS_SIDE * DIGITS_SIDE, DIGITS_HIDDEN = 64, DIGITS_CLASSES = 10 };

static const uint8_t digits_font[DIGITS_CLASSES][7] = {
    {14, 17, 19, 21, 25, 17, 14}, {4, 12, 4, 4, 4, 4, 14},    {14, 17, 1, 2, 4, 8, 31},   {31, 2, 4, 2, 1, 17, 14},
    {2, 6, 10, 18, 31, 2, 2},     {31, 16, 30, 1, 1, 17, 14}, {6, 8, 16, 30, 17, 17, 14}, {31, 1, 2, 4, 8, 8, 8},
    {14, 17, 17, 14, 17, 17, 14}, {14, 17, 17, 15, 1, 2, 12},
};
/* a random number below `limit`, by xorshift */
static int32_t digits_random(uint32_t *state, uint32_t limit)
{
    *state ^= *state << 13, *state ^= *state >> 17, *state ^= *state << 5;
    return (int32_t)((*state >> 8) % limit);
}
static void digits_draw(int8_t pixels[DIGITS_PIXELS], unsigned digit, uint32_t *state)
{
    uint8_t ink[7][5];
    for (unsigned r = 0; r < 7; r++)
        for (unsigned c = 0; c < 5; c++) {
            const int32_t strength = digits_random(state, 24) ? 64 + digits_random(state, 64) : 0;
            ink[r][c] = (uint8_t)(digits_font[digit][r] >> (4 - c) & 1 ? strength : 0);
        }
    const int32_t height = 10 + digits_random(state, 2), width = 7 + digits_random(state, 3),
                  slant = digits_random(state, 3) - 1;
    const int32_t top = digits_random(state, (uint32_t)(DIGITS_SIDE - height + 1)),
                  left = 1 + digits_random(state, (uint32_t)(DIGITS_SIDE - width - 1));
    for (int32_t k = 0; k < DIGITS_PIXELS; k++) {
        const int32_t y = k / DIGITS_SIDE - top, x = k % DIGITS_SIDE - left + slant * (2 * y - height) / 12;
        int32_t pixel = y >= 0 && y < height && x >= 0 && x < width ? ink[y * 7 / height][x * 5 / width] : 0;
        if (!digits_random(state, 8)) pixel += digits_random(state, 64);
        pixels[k] = (int8_t)(pixel > 127 ? 127 : pixel);
    }
}
#endif
